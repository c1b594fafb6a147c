import { checkForgotPassword } from '#domain/session-rules.ts';
import { requestPasswordReset } from '#session/account-requests.ts';
import { Button } from '#ui/button.tsx';
import { textField, useForm } from '#ui/use-form.ts';
import styles from './account-form.module.css';
import { EmailField } from './email-field.tsx';
import { FailureBanner } from './failure-banner.tsx';

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
