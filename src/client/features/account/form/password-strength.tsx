import { type PasswordStrength, passwordStrength } from '#domain/account.ts';
import styles from './account-form.module.css';

const filledBars: Record<PasswordStrength, number> = { Weak: 1, Medium: 2, Strong: 3 };

/** Advice while typing; a weak password is still accepted if it has at least 8 characters. */
export function PasswordStrengthLabel({ password }: { password: string }) {
  const strength = passwordStrength(password);
  return (
    <div role="status">
      {strength && (
        <p className={styles.strength} data-strength={strength}>
          <span className={styles.bars} aria-hidden>
            {[1, 2, 3].map((bar) => (
              <span key={bar} data-filled={bar <= filledBars[strength] || undefined} />
            ))}
          </span>
          <span>
            Password strength: <strong>{strength}</strong>
          </span>
        </p>
      )}
    </div>
  );
}
