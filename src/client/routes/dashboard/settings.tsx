import { createFileRoute } from '@tanstack/react-router';
import { SettingsScreen } from '#client/features/settings/settings-screen.tsx';

interface SettingsSearch {
  /** The result of opening the confirmation link, set by the server's redirect. */
  email?: 'confirmed' | 'invalid' | undefined;
}

export const Route = createFileRoute('/dashboard/settings')({
  validateSearch: ({ email }: Record<string, unknown>): SettingsSearch => ({
    email: email === 'confirmed' || email === 'invalid' ? email : undefined,
  }),
  component: Settings,
});

function Settings() {
  const { email } = Route.useSearch();
  const navigate = Route.useNavigate();
  // Without the param the message does not appear again after a reload.
  const dismiss = () =>
    void navigate({
      search: (search: SettingsSearch) => ({ ...search, email: undefined }),
      replace: true,
      state: true,
      resetScroll: false,
    });
  return <SettingsScreen emailResult={email} onDismissEmailResult={dismiss} />;
}
