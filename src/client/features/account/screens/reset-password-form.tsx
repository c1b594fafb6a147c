import { Link } from '@tanstack/react-router';
import { AccountError } from '#client/session/account-error.ts';
import { resetPassword } from '#client/session/account-requests.ts';
import { Button } from '#client/ui/form/button.tsx';
import { textField, useForm } from '#client/ui/form/use-form.ts';
import { checkResetPassword } from '#domain/account.ts';
import { PasswordField } from '../form/account-fields.tsx';
import styles from '../form/account-form.module.css';
import { FailureBanner } from '../form/failure-banner.tsx';
import { keepReturnPath } from '../form/return-path.tsx';

/** `token`: from the mailed link. */
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

/** The server answers 400 only for the token; problems with the password are a 422. */
function isTokenRefused(failure: Error): boolean {
  return failure instanceof AccountError && failure.status === 400;
}
