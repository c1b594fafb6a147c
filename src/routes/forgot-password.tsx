import { createFileRoute, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { AccountScreen } from '#features/account/account-screen.tsx';
import { ForgotPasswordForm } from '#features/account/forgot-password-form.tsx';
import { keepAttempted } from '#features/account/keep-attempted.ts';
import { attemptedSearch } from './-attempted-search.ts';
import { visitorsOnly } from './-visitors-only.ts';

export const Route = createFileRoute('/forgot-password')({
  validateSearch: attemptedSearch,
  beforeLoad: visitorsOnly,
  component: ForgotPassword,
});

const name = 'Forgot Password';

function ForgotPassword() {
  const [sentTo, setSentTo] = useState<string | null>(null);
  const below = (
    <Link to="/signin" search={keepAttempted}>
      Back to sign in
    </Link>
  );
  if (sentTo !== null) {
    return (
      <AccountScreen
        name={name}
        heading="Password reset email sent"
        intro={`If an account exists for ${sentTo}, you will receive an email with instructions to reset your password.`}
        isOutcome
        below={below}
      />
    );
  }
  return (
    <AccountScreen
      name={name}
      heading="Forgot your password?"
      intro="Tell us your email address and we will send you a link to choose a new one."
      below={below}
    >
      <ForgotPasswordForm onSent={setSentTo} />
    </AccountScreen>
  );
}
