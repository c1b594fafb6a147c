import { Link } from '@tanstack/react-router';
import { checkSignIn } from '#domain/session-rules.ts';
import { useSession } from '#session/current.tsx';
import { signIn } from '#session/sign-in.ts';
import { Banner } from '#ui/banner.tsx';
import { Button } from '#ui/button.tsx';
import { Checkbox } from '#ui/field.tsx';
import { useForm } from '#ui/use-form.ts';
import styles from './account-form.module.css';
import { EmailField } from './email-field.tsx';
import { FailureBanner } from './failure-banner.tsx';
import { PasswordField } from './password-field.tsx';

/** What brought the person here, e.g. a link in a mail. */
export interface News {
  look: 'info' | 'success';
  text: string;
}

export function SignInForm({ news }: { news: News | null }) {
  const session = useSession();
  const form = useForm({
    initial: { email: '', password: '', rememberMe: false },
    check: checkSignIn,
    submit: signIn,
  });
  const notice = session.status === 'signed-out' ? session.notice : null;
  return (
    <form className={styles.form} onSubmit={form.onSubmit} noValidate>
      {form.failure ? (
        <FailureBanner failure={form.failure} />
      ) : (
        (news || notice) && <Banner look={news?.look ?? 'info'}>{news?.text ?? notice}</Banner>
      )}
      <EmailField
        autoComplete="username"
        enterKeyHint="next"
        value={form.values.email}
        error={form.errors.email}
        onChange={(event) => form.change('email', event.target.value)}
      />
      <PasswordField
        label="Password"
        name="password"
        autoComplete="current-password"
        enterKeyHint="go"
        value={form.values.password}
        error={form.errors.password}
        onChange={(event) => form.change('password', event.target.value)}
      />
      <div className={styles.row}>
        <Checkbox
          label="Remember me"
          name="rememberMe"
          checked={form.values.rememberMe}
          onChange={(event) => form.change('rememberMe', event.target.checked)}
        />
        <Link to="/forgot-password" className={styles.link}>
          Forgot password?
        </Link>
      </div>
      <Button type="submit" size="large" busyText={form.isSubmitting ? 'Signing in...' : null}>
        Sign In
      </Button>
    </form>
  );
}
