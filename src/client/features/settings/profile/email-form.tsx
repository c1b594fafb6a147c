import { useState } from 'react';
import { changeEmail } from '#client/session/settings/profile.ts';
import { Banner } from '#client/ui/feedback/banner.tsx';
import { textField, useForm } from '#client/ui/form/use-form.ts';
import { emailProblem } from '#domain/account.ts';
import { EmailField, PasswordField } from '../../account/form/account-form.tsx';
import { OpenableForm } from '../openable-form.tsx';
import styles from '../settings.module.css';

/** The email address, and a form that requests a confirmation link for a new one. */
export function EmailForm({ email, onSent }: { email: string; onSent: () => void }) {
  const [isOpen, setOpen] = useState(false);
  const [sentTo, setSentTo] = useState<string | null>(null);
  const form = useForm({
    initial: { email: '', password: '' },
    check: (values) => {
      const problem = emailProblem(values.email);
      return {
        ...(problem && { email: problem }),
        ...(values.password === '' && { password: 'Password is required' }),
      };
    },
    submit: async (values) => {
      await changeEmail(values.email, values.password);
      setSentTo(values.email.trim());
      onSent();
      close();
    },
  });
  function close(): void {
    form.change('email', '');
    form.change('password', '');
    setOpen(false);
  }
  return (
    <OpenableForm
      title="Email address"
      value={email}
      openText="Change email"
      isOpen={isOpen}
      onOpen={() => {
        setSentTo(null);
        setOpen(true);
      }}
      onClose={close}
      form={form}
      submitText="Send link"
      busyText="Sending..."
      result={
        sentTo !== null && (
          <Banner look="success">
            <p>
              A confirmation link was sent to <bdi className={styles.long}>{sentTo}</bdi>. Until it
              is opened, your email address stays as it is.
            </p>
          </Banner>
        )
      }
    >
      <EmailField
        label="New email address"
        autoComplete="email"
        enterKeyHint="next"
        {...textField(form, 'email')}
      />
      <PasswordField
        label="Password"
        autoComplete="current-password"
        enterKeyHint="done"
        {...textField(form, 'password')}
      />
    </OpenableForm>
  );
}
