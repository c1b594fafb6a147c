import { Link } from '@tanstack/react-router';
import { signIn } from '#client/session/sign-in.ts';
import { Banner } from '#client/ui/feedback/banner.tsx';
import { Button } from '#client/ui/form/button.tsx';
import { Checkbox } from '#client/ui/form/field.tsx';
import { textField, useForm } from '#client/ui/form/use-form.ts';
import { checkSignIn } from '#domain/account.ts';
import { EmailField, PasswordField } from '../form/account-fields.tsx';
import styles from '../form/account-form.module.css';
import { FailureBanner } from '../form/failure-banner.tsx';
import { keepReturnPath } from '../form/return-path.tsx';

/** What brought the person here, e.g. a link in a mail. */
export interface News {
  look: 'info' | 'success';
  text: string;
}

/** `onNewsRead`: the person goes on to something else, by typing or by submitting. */
export function SignInForm({ news, onNewsRead }: { news: News | null; onNewsRead: () => void }) {
  const form = useForm({
    initial: { email: '', password: '', rememberMe: false },
    check: checkSignIn,
    submit: signIn,
  });
  const readNews = () => news && onNewsRead();
  return (
    <form
      className={styles.form}
      onInput={readNews}
      onSubmit={(event) => {
        readNews();
        void form.onSubmit(event);
      }}
      noValidate
    >
      {form.failure ? (
        <FailureBanner failure={form.failure} />
      ) : (
        news && <Banner look={news.look}>{news.text}</Banner>
      )}
      <EmailField autoComplete="username" enterKeyHint="next" {...textField(form, 'email')} />
      <PasswordField
        label="Password"
        autoComplete="current-password"
        enterKeyHint="go"
        {...textField(form, 'password')}
      />
      <div className={styles.row}>
        <Checkbox
          label="Remember me"
          name="rememberMe"
          checked={form.values.rememberMe}
          onChange={(event) => form.change('rememberMe', event.target.checked)}
        />
        <Link to="/forgot-password" search={keepReturnPath} className={styles.link}>
          Forgot password?
        </Link>
      </div>
      <Button type="submit" size="large" busyText={form.isSubmitting ? 'Signing in...' : null}>
        Sign In
      </Button>
    </form>
  );
}
