import { Link, useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { buttonClass } from '#client/ui/form/button.tsx';
import styles from '../form/account-form.module.css';
import { AccountScreen } from '../form/account-screen.tsx';
import { keepReturnPath } from '../form/return-path.tsx';

/** How long the message stays before the sign-in screen opens (spec section 9). */
const redirectDelayMs = 3_000;

export function PasswordUpdated() {
  const navigate = useNavigate();
  useEffect(() => {
    const timer = setTimeout(
      () => void navigate({ to: '/login', search: keepReturnPath, replace: true }),
      redirectDelayMs,
    );
    return () => clearTimeout(timer);
  }, [navigate]);
  return (
    <AccountScreen
      name="Reset Password"
      heading="Password Updated Successfully"
      intro="Your password has been reset. You'll be redirected to the login page shortly."
      isOutcome
    >
      <div className={styles.outcome}>
        <Link
          to="/login"
          search={keepReturnPath}
          replace
          className={buttonClass({ look: 'quiet', size: 'large' })}
        >
          Sign in now
        </Link>
      </div>
    </AccountScreen>
  );
}
