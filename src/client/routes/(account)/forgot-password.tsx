import { createFileRoute } from '@tanstack/react-router';
import { useState } from 'react';
import { AccountScreen, BackToSignIn } from '#client/features/account/form/account-screen.tsx';
import { ForgotPasswordForm } from '#client/features/account/screens/forgot-password-form.tsx';
import { returnSearch } from '../-return-search.ts';
import { visitorsOnly } from '../-visitors-only.ts';

export const Route = createFileRoute('/(account)/forgot-password')({
  validateSearch: returnSearch,
  beforeLoad: visitorsOnly,
  component: ForgotPassword,
});

const name = 'Forgot Password';

function ForgotPassword() {
  const [sentTo, setSentTo] = useState<string | null>(null);
  if (sentTo !== null) {
    return (
      <AccountScreen
        name={name}
        heading="Password reset email sent"
        intro={`If an account exists for ${sentTo}, you will receive an email with instructions to reset your password.`}
        isResult
        below={<BackToSignIn />}
      />
    );
  }
  return (
    <AccountScreen
      name={name}
      heading="Forgot your password?"
      intro="Tell us your email address and we will send you a link to choose a new one."
      below={<BackToSignIn />}
    >
      <ForgotPasswordForm onSent={setSentTo} />
    </AccountScreen>
  );
}
