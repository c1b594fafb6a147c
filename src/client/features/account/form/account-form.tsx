import { Eye, EyeOff } from 'lucide-react';
import { type ComponentProps, type ReactNode, useState } from 'react';
import { AccountError } from '#client/session/account.ts';
import { Banner } from '#client/ui/feedback/banner.tsx';
import { IconButton } from '#client/ui/form/button.tsx';
import { Field } from '#client/ui/form/field.tsx';
import { type PasswordStrength, passwordStrength } from '#domain/account.ts';
import styles from './account-form.module.css';

export function EmailField({
  label = 'Email address',
  ...props
}: Omit<ComponentProps<typeof Field>, 'label' | 'type'> & { label?: string }) {
  return (
    <Field
      label={label}
      type="email"
      inputMode="email"
      autoCapitalize="none"
      spellCheck={false}
      {...props}
    />
  );
}

/** A password input with a button that shows what was typed. */
export function PasswordField(props: Omit<ComponentProps<typeof Field>, 'type' | 'trailing'>) {
  const [isShown, setShown] = useState(false);
  const name = props.label.toLowerCase();
  return (
    <Field
      {...props}
      type={isShown ? 'text' : 'password'}
      autoCapitalize="none"
      spellCheck={false}
      trailing={
        <IconButton
          label={isShown ? `Hide ${name}` : `Show ${name}`}
          onClick={() => setShown(!isShown)}
        >
          {isShown ? <EyeOff aria-hidden size={20} /> : <Eye aria-hidden size={20} />}
        </IconButton>
      }
    />
  );
}

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

/** Says why an account form failed. `children`: what the person can do about it. */
export function FailureBanner({ failure, children }: { failure: Error; children?: ReactNode }) {
  return (
    <Banner look="error">
      <p>{failure.message}</p>
      {failure instanceof AccountError && failure.isUnreachable && (
        <p>The server could not be reached.</p>
      )}
      {children}
    </Banner>
  );
}
