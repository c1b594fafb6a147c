import type { ComponentProps } from 'react';
import styles from './button.module.css';

interface ButtonLook {
  look?: 'primary' | 'quiet' | 'danger' | 'water';
  size?: 'normal' | 'small' | 'large';
}

interface ButtonProps extends ComponentProps<'button'>, ButtonLook {
  /** Shown instead of the children while the work runs; the button is disabled meanwhile. */
  busyText?: string | null;
}

export function Button({
  look = 'primary',
  size = 'normal',
  busyText = null,
  children,
  disabled,
  className,
  ...rest
}: ButtonProps) {
  const names = [buttonClass({ look, size }), className];
  return (
    <button
      type="button"
      {...rest}
      className={names.filter(Boolean).join(' ')}
      disabled={disabled || busyText !== null}
    >
      {busyText ?? children}
    </button>
  );
}

/** For a link that looks like a button: it leads somewhere, a button does something. */
export function buttonClass({ look = 'primary', size = 'normal' }: ButtonLook = {}): string {
  return [styles.button, styles[look], styles[size]].filter(Boolean).join(' ');
}

/** A button that is only an icon; its name is a must. */
export function IconButton({ label, ...rest }: ComponentProps<'button'> & { label: string }) {
  return (
    <button
      type="button"
      {...rest}
      aria-label={label}
      className={[styles.icon, rest.className].filter(Boolean).join(' ')}
    />
  );
}
