import { Link } from '@tanstack/react-router';
import { checkResetPassword } from '#domain/session-rules.ts';
import { Banner } from '#ui/banner.tsx';
import { buttonClass } from '#ui/button.tsx';
import styles from './account-form.module.css';
import { AccountScreen } from './account-screen.tsx';
import { BackToSignIn } from './back-to-sign-in.tsx';
import { keepAttempted } from './keep-attempted.ts';

/** The address of a reset screen came without what the mailed link carries. */
export function InvalidResetLink() {
  const { token: problem } = checkResetPassword({ token: '', password: '', confirmPassword: '' });
  return (
    <AccountScreen
      name="Reset Password"
      heading="Invalid Reset Link"
      intro="The password reset link is invalid or has expired."
      below={<BackToSignIn />}
    >
      <div className={styles.outcome}>
        <Banner look="error">{problem}</Banner>
        <Link
          to="/forgot-password"
          search={keepAttempted}
          className={buttonClass({ size: 'large' })}
        >
          Request New Link
        </Link>
      </div>
    </AccountScreen>
  );
}
