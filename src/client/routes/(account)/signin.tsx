import { createFileRoute, redirect } from '@tanstack/react-router';
import { SignInScreen } from '#client/features/account/screens/sign-in-form.tsx';
import {
  type SignInSearch,
  useSignInMessage,
} from '#client/features/account/screens/use-sign-in-message.ts';
import { getSession } from '#client/session/session.ts';
import { returnSearch } from '../-return-search.ts';

export const Route = createFileRoute('/(account)/signin')({
  validateSearch: ({ from, verified }): SignInSearch => ({
    ...returnSearch({ from }),
    verified: verified === 0 || verified === 1 ? verified : undefined,
  }),
  beforeLoad: ({ search }) => {
    if (getSession().status === 'signed-in') throw redirect({ href: search.from ?? '/dashboard' });
  },
  component: SignIn,
});

function SignIn() {
  const { message, dismissMessage } = useSignInMessage(Route.useSearch());
  return <SignInScreen message={message} onDismissMessage={dismissMessage} />;
}
