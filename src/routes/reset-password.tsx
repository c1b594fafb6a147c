import { createFileRoute, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { AccountScreen } from '#features/account/account-screen.tsx';
import { InvalidResetLink } from '#features/account/invalid-reset-link.tsx';
import { PasswordUpdated } from '#features/account/password-updated.tsx';
import { ResetPasswordForm } from '#features/account/reset-password-form.tsx';
import { visitorsOnly } from './-visitors-only.ts';

export const Route = createFileRoute('/reset-password')({
  validateSearch: ({ token }): { token?: string } => {
    // A token of digits alone arrives as a number.
    const isToken = (typeof token === 'string' || typeof token === 'number') && token !== '';
    return isToken ? { token: String(token) } : {};
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
      below={<Link to="/signin">Back to sign in</Link>}
    >
      <ResetPasswordForm token={token} onDone={() => setDone(true)} />
    </AccountScreen>
  );
}
