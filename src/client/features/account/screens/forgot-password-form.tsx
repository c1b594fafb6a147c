import { requestPasswordReset } from '#client/session/account.ts';
import { Button } from '#client/ui/form/button.tsx';
import { textField, useForm } from '#client/ui/form/use-form.ts';
import { checkForgotPassword } from '#domain/account.ts';
import styles from '../form/account-form.module.css';
import { EmailField, FailureBanner } from '../form/account-form.tsx';

export function ForgotPasswordForm({ onSent }: { onSent: (email: string) => void }) {
  const form = useForm({
    initial: { email: '' },
    check: checkForgotPassword,
    submit: async (values) => {
      await requestPasswordReset(values);
      onSent(values.email.trim());
    },
  });
  return (
    <form className={styles.form} onSubmit={form.onSubmit} noValidate>
      {form.failure && <FailureBanner failure={form.failure} />}
      <EmailField autoComplete="username" enterKeyHint="send" {...textField(form, 'email')} />
      <Button type="submit" size="large" busyText={form.isSubmitting ? 'Sending...' : null}>
        Send Reset Link
      </Button>
    </form>
  );
}
