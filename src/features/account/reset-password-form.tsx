import { Link } from '@tanstack/react-router';
import { checkResetPassword } from '#domain/session-rules.ts';
import { AccountError } from '#session/account-error.ts';
import { resetPassword } from '#session/account-requests.ts';
import { Button } from '#ui/button.tsx';
import { textField, useForm } from '#ui/use-form.ts';
import styles from './account-form.module.css';
import { FailureBanner } from './failure-banner.tsx';
import { keepAttempted } from './keep-attempted.ts';
import { PasswordField } from './password-field.tsx';

/** `token`: what the mailed link carried. */
export function ResetPasswordForm({ token, onDone }: { token: string; onDone: () => void }) {
  const form = useForm({
    initial: { token, password: '', confirmPassword: '' },
    check: checkResetPassword,
    submit: async (values) => {
      await resetPassword(values);
      onDone();
    },
  });
  return (
    <form className={styles.form} onSubmit={form.onSubmit} noValidate>
      {form.failure && (
        <FailureBanner failure={form.failure}>
          {isTokenRefused(form.failure) && (
            <Link to="/forgot-password" search={keepAttempted} className={styles.link}>
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

/** Everything else that the server may object to is a 422 about the password itself. */
function isTokenRefused(failure: Error): boolean {
  return failure instanceof AccountError && failure.status === 400;
}
