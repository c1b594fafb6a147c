import { createFileRoute } from '@tanstack/react-router';
import { useState } from 'react';
import { AccountScreen } from '#client/features/account/form/account-screen.tsx';
import { BackToSignIn } from '#client/features/account/form/return-path.tsx';
import { InvalidResetLink } from '#client/features/account/screens/invalid-reset-link.tsx';
import { PasswordUpdated } from '#client/features/account/screens/password-updated.tsx';
import { ResetPasswordForm } from '#client/features/account/screens/reset-password-form.tsx';
import { type ReturnSearch, returnSearch } from '../-return-search.ts';
import { visitorsOnly } from '../-visitors-only.ts';

export const Route = createFileRoute('/(account)/reset-password')({
  validateSearch: ({ token, from }): { token?: string | undefined } & ReturnSearch => {
    // A token of digits alone arrives as a number.
    const isText = typeof token === 'string' || typeof token === 'number';
    return { ...returnSearch({ from }), token: (isText && String(token).trim()) || undefined };
  },
  beforeLoad: visitorsOnly,
  component: ResetPassword,
});

function ResetPassword() {
  const { token } = Route.useSearch();
  const [isDone, setDone] = useState(false);
  if (isDone) return <PasswordUpdated />;
  if (!token) return <InvalidResetLink />;
  return (
    <AccountScreen
      name="Reset Password"
      heading="Choose a new password"
      intro="It takes the place of the old one on all your devices."
      below={<BackToSignIn />}
    >
      <ResetPasswordForm token={token} onDone={() => setDone(true)} />
    </AccountScreen>
  );
}
