import { Link, useRouter } from '@tanstack/react-router';
import { useLayoutEffect, useRef, useSyncExternalStore } from 'react';
import { signIn } from '#client/session/account.ts';
import { Banner } from '#client/ui/feedback/banner.tsx';
import { Button } from '#client/ui/form/button.tsx';
import { Checkbox } from '#client/ui/form/field.tsx';
import { textField, useForm } from '#client/ui/form/use-form.ts';
import { checkSignIn } from '#domain/account.ts';
import styles from '../form/account-form.module.css';
import { EmailField, FailureBanner, PasswordField } from '../form/account-form.tsx';
import { AccountScreen, keepReturnPath } from '../form/account-screen.tsx';

export function SignInScreen(props: SignInFormProps) {
  return (
    <AccountScreen
      name="Sign In"
      heading="Welcome back"
      intro="Sign in to see your plants."
      below={
        <>
          New to Sprig?{' '}
          <Link to="/signup" search={keepReturnPath}>
            Sign up
          </Link>
        </>
      }
    >
      <SignInForm {...props} />
    </AccountScreen>
  );
}

/** A message above the form that says why the person is here, e.g. the result of an emailed link. */
export interface SignInMessage {
  look: 'info' | 'success';
  text: string;
}

interface SignInFormProps {
  message: SignInMessage | null;
  /** Called when the person types or submits. */
  onDismissMessage: () => void;
}

function SignInForm({ message, onDismissMessage }: SignInFormProps) {
  const router = useRouter();
  const form = useForm({
    initial: { email: '', password: '', rememberMe: false },
    check: checkSignIn,
    submit: async (values) => {
      await signIn(values);
      // The button stays busy until the next screen has been loaded.
      await router.invalidate();
    },
  });
  const dismissMessage = () => message && onDismissMessage();
  const isHydrated = useSyncExternalStore(subscribeNothing, yes, no);
  const element = useRef<HTMLFormElement>(null);
  const { change } = form;
  // In the prerendered page the person, or the browser, may have filled in fields before hydration. Copy them once.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once; `change` is a new function at each render
  useLayoutEffect(() => {
    const { email, password, rememberMe } = fieldsOf(element.current);
    if (email?.value) change('email', email.value);
    if (password?.value) change('password', password.value);
    if (rememberMe?.checked) change('rememberMe', true);
  }, []);
  return (
    <form
      ref={element}
      // Before hydration the browser would submit the form itself; with GET the password would be in the URL.
      method="post"
      className={styles.form}
      onInput={dismissMessage}
      onSubmit={(event) => {
        dismissMessage();
        void form.onSubmit(event);
      }}
      noValidate
    >
      {form.failure ? (
        <FailureBanner failure={form.failure} />
      ) : (
        // The prerendered form has no message. If the page is reloaded after a sign-up, history.state still has one: it
        // is shown after hydration.
        isHydrated && message && <Banner look={message.look}>{message.text}</Banner>
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
