import { Link } from '@tanstack/react-router';
import { useLayoutEffect, useRef, useSyncExternalStore } from 'react';
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
  const isHydrated = useSyncExternalStore(subscribeNothing, yes, no);
  const element = useRef<HTMLFormElement>(null);
  const { change } = form;
  // In a prerendered page somebody, or the browser, may have filled the fields in before the app was there. Once only:
  // `change` is another function at each render.
  // biome-ignore lint/correctness/useExhaustiveDependencies: what follows is typed into the hydrated form
  useLayoutEffect(() => {
    const { email, password, rememberMe } = fieldsOf(element.current);
    if (email?.value) change('email', email.value);
    if (password?.value) change('password', password.value);
    if (rememberMe?.checked) change('rememberMe', true);
  }, []);
  return (
    <form
      ref={element}
      // Until the app has taken the form over, nothing typed may get into an address.
      method="post"
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
      <Button
        type="submit"
        size="large"
        disabled={!isHydrated}
        title={isHydrated ? undefined : 'Sprig is still loading'}
        busyText={form.isSubmitting ? 'Signing in...' : null}
      >
        Sign In
      </Button>
    </form>
  );
}

const subscribeNothing = () => () => undefined;
const yes = () => true;
const no = () => false;

function fieldsOf(form: HTMLFormElement | null): Partial<Record<string, HTMLInputElement>> {
  const inputs = form?.querySelectorAll('input') ?? [];
  return Object.fromEntries([...inputs].map((input) => [input.name, input]));
}
