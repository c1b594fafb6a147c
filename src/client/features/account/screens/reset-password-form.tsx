import { Link, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { AccountError, resetPassword } from '#client/session/account.ts';
import { Banner } from '#client/ui/feedback/banner.tsx';
import { Button, buttonClass } from '#client/ui/form/button.tsx';
import { textField, useForm } from '#client/ui/form/use-form.ts';
import { checkResetPassword } from '#domain/account.ts';
import styles from '../form/account-form.module.css';
import { FailureBanner, PasswordField } from '../form/account-form.tsx';
import { AccountScreen, BackToSignIn, keepReturnPath } from '../form/account-screen.tsx';

/** `token`: from the emailed link. */
export function ResetPasswordForm({ token, onDone }: { token: string; onDone: () => void }) {
  // Stays set: after a lost response, a further attempt finds that the token was used.
  const [mayBeChanged, setMayBeChanged] = useState(false);
  const form = useForm({
    initial: { token, password: '', confirmPassword: '' },
    check: checkResetPassword,
    submit: async (values) => {
      try {
        await resetPassword(values);
      } catch (error) {
        if (error instanceof AccountError && error.mayHaveSucceeded) setMayBeChanged(true);
        throw error;
      }
      onDone();
    },
  });
  return (
    <form className={styles.form} onSubmit={form.onSubmit} noValidate>
      {form.failure && (
        <FailureBanner failure={form.failure}>
          {mayBeChanged && (
            <>
              <p>The new password may be in use already.</p>
              <Link to="/signin" search={keepReturnPath} className={styles.link}>
                Try to sign in
              </Link>
            </>
          )}
          {isTokenInvalid(form.failure) && (
            <Link to="/forgot-password" search={keepReturnPath} className={styles.link}>
              Request a new link
            </Link>
          )}
        </FailureBanner>
      )}
      <PasswordField
        label="New password"
        autoComplete="new-password"
        enterKeyHint="next"
        {...textField(form, 'password')}
      />
      <PasswordField
        label="Confirm new password"
        autoComplete="new-password"
        enterKeyHint="done"
        {...textField(form, 'confirmPassword')}
      />
      <Button
        type="submit"
        size="large"
        busyText={form.isSubmitting ? 'Updating Password...' : null}
      >
        Update Password
      </Button>
    </form>
  );
}

/** Whether the token was rejected: the server responds with 400 only then, and with 422 to an invalid password. */
function isTokenInvalid(failure: Error): boolean {
  return failure instanceof AccountError && failure.status === 400;
}

/** Shown when the reset screen was opened without the token of an emailed link. */
export function InvalidResetLink() {
  const { token: problem } = checkResetPassword({ token: '', password: '', confirmPassword: '' });
  return (
    <AccountScreen
      name="Reset Password"
      heading="Invalid Reset Link"
      intro="The password reset link is invalid or has expired."
      below={<BackToSignIn />}
    >
      <div className={styles.outcome}>
        <Banner look="error">{problem}</Banner>
        <Link
          to="/forgot-password"
          search={keepReturnPath}
          className={buttonClass({ size: 'large' })}
        >
          Request New Link
        </Link>
      </div>
    </AccountScreen>
  );
}

/** How long the message stays before the sign-in screen opens (spec section 9). */
const redirectDelayMs = 3_000;

export function PasswordUpdated() {
  const navigate = useNavigate();
  useEffect(() => {
    const timer = setTimeout(
      () => void navigate({ to: '/login', search: keepReturnPath, replace: true }),
      redirectDelayMs,
    );
    return () => clearTimeout(timer);
  }, [navigate]);
  return (
    <AccountScreen
      name="Reset Password"
      heading="Password Updated Successfully"
      intro="Your password has been reset. You'll be redirected to the login page shortly."
      isResult
    >
      <div className={styles.outcome}>
        <Link
          to="/login"
          search={keepReturnPath}
          replace
          className={buttonClass({ look: 'quiet', size: 'large' })}
        >
          Sign in now
        </Link>
      </div>
    </AccountScreen>
  );
}
