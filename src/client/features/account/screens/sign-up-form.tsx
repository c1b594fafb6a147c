import { Link } from '@tanstack/react-router';
import { signUp } from '#client/session/account.ts';
import { Button } from '#client/ui/form/button.tsx';
import { Checkbox, Field } from '#client/ui/form/field.tsx';
import { textField, useForm } from '#client/ui/form/use-form.ts';
import { checkSignUp } from '#domain/account.ts';
import styles from '../form/account-form.module.css';
import {
  EmailField,
  FailureBanner,
  PasswordField,
  PasswordStrengthLabel,
} from '../form/account-form.tsx';

export function SignUpForm({ onCreated }: { onCreated: () => Promise<void> }) {
  const form = useForm({
    initial: { name: '', email: '', password: '', confirmPassword: '', agreeToTerms: false },
    check: checkSignUp,
    submit: async (values) => {
      await signUp(values);
      await onCreated();
    },
  });
  return (
    <form className={styles.form} onSubmit={form.onSubmit} noValidate>
      {form.failure && <FailureBanner failure={form.failure} />}
      <Field
        label="Full name"
        autoComplete="name"
        enterKeyHint="next"
        {...textField(form, 'name')}
      />
      <EmailField autoComplete="email" enterKeyHint="next" {...textField(form, 'email')} />
      <div>
        <PasswordField
          label="Password"
          autoComplete="new-password"
          enterKeyHint="next"
          {...textField(form, 'password')}
        />
        <PasswordStrengthLabel password={form.values.password} />
      </div>
      <PasswordField
        label="Confirm password"
        autoComplete="new-password"
        enterKeyHint="done"
        {...textField(form, 'confirmPassword')}
      />
      <Checkbox
        label={<Agreement />}
        name="agreeToTerms"
        checked={form.values.agreeToTerms}
        error={form.errors.agreeToTerms}
        onChange={(event) => form.change('agreeToTerms', event.target.checked)}
      />
      <Button
        type="submit"
        size="large"
        busyText={form.isSubmitting ? 'Creating account...' : null}
      >
        Create Account
      </Button>
    </form>
  );
}

/** The links open a new tab, so that the form keeps its input. */
function Agreement() {
  return (
    <>
      I agree to the{' '}
      <Link to="/terms-of-service" target="_blank">
        Terms of Service
      </Link>{' '}
      and{' '}
      <Link to="/privacy-policy" target="_blank">
        Privacy Policy
      </Link>
    </>
  );
}
