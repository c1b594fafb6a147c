import { Eye, EyeOff } from 'lucide-react';
import { useState } from 'react';
import { checkSignIn } from '#domain/session-rules.ts';
import { useSession } from '#session/current.tsx';
import { signIn } from '#session/session.ts';
import { SignInError } from '#session/sign-in-error.ts';
import { Banner } from '#ui/banner.tsx';
import { Button, IconButton } from '#ui/button.tsx';
import { Checkbox, Field } from '#ui/field.tsx';
import { useForm } from '#ui/use-form.ts';
import styles from './sign-in-form.module.css';

/** `news`: what brought the person here, e.g. a link in a mail. */
export function SignInForm({ news }: { news: string | null }) {
  const session = useSession();
  const [isShown, setShown] = useState(false);
  const form = useForm({
    initial: { email: '', password: '', rememberMe: false },
    check: checkSignIn,
    submit: signIn,
  });
  const notice = (session.status === 'signed-out' ? session.notice : null) ?? news;
  return (
    <form className={styles.form} onSubmit={form.onSubmit} noValidate>
      {form.failure ? (
        <Banner look="error">
          <p>{form.failure.message}</p>
          {form.failure instanceof SignInError && form.failure.isUnreachable && (
            <p>The server could not be reached.</p>
          )}
        </Banner>
      ) : (
        notice && <Banner look="info">{notice}</Banner>
      )}
      <Field
        label="Email address"
        name="email"
        type="email"
        inputMode="email"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        enterKeyHint="next"
        value={form.values.email}
        error={form.errors.email}
        onChange={(event) => form.change('email', event.target.value)}
      />
      <Field
        label="Password"
        name="password"
        type={isShown ? 'text' : 'password'}
        autoComplete="current-password"
        enterKeyHint="go"
        value={form.values.password}
        error={form.errors.password}
        onChange={(event) => form.change('password', event.target.value)}
        trailing={
          <IconButton
            label={isShown ? 'Hide password' : 'Show password'}
            onClick={() => setShown(!isShown)}
          >
            {isShown ? <EyeOff aria-hidden size={20} /> : <Eye aria-hidden size={20} />}
          </IconButton>
        }
      />
      <Checkbox
        label="Remember me"
        name="rememberMe"
        checked={form.values.rememberMe}
        onChange={(event) => form.change('rememberMe', event.target.checked)}
      />
      <Button type="submit" busyText={form.isSubmitting ? 'Signing in...' : null}>
        Sign In
      </Button>
    </form>
  );
}
