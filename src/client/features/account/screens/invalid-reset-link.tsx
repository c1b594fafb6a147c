import { Link } from '@tanstack/react-router';
import { Banner } from '#client/ui/feedback/banner.tsx';
import { buttonClass } from '#client/ui/form/button.tsx';
import { checkResetPassword } from '#domain/account.ts';
import styles from '../form/account-form.module.css';
import { AccountScreen } from '../form/account-screen.tsx';
import { BackToSignIn, keepReturnPath } from '../form/return-path.tsx';

/** The reset screen was opened without the token of a mailed link. */
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
          search={keepReturnPath}
          className={buttonClass({ size: 'large' })}
        >
          Request New Link
        </Link>
      </div>
    </AccountScreen>
  );
}
