import { createFileRoute } from '@tanstack/react-router';
import { useState } from 'react';
import { AccountScreen, BackToSignIn } from '#client/features/account/form/account-screen.tsx';
import {
  InvalidResetLink,
  PasswordUpdated,
  ResetPasswordForm,
} from '#client/features/account/screens/reset-password-form.tsx';
import { untilChecked } from '#client/session/session.ts';
import { type ReturnSearch, returnSearch } from '../-return-search.ts';
import { visitorsOnly } from '../-visitors-only.ts';

export const Route = createFileRoute('/(account)/reset-password')({
  validateSearch: ({ token, from }): { token?: string | undefined } & ReturnSearch => {
    // The router parses a token of digits alone as a number.
    const isText = typeof token === 'string' || typeof token === 'number';
    return { ...returnSearch({ from }), token: (isText && String(token).trim()) || undefined };
  },
  beforeLoad: async ({ search: { token } }) => {
    // If the stored session has ended on the server, redirecting to the dashboard would lose the emailed token.
    if (token) await untilChecked();
    visitorsOnly();
  },
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
