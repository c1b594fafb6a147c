import { type ComponentProps, useImperativeHandle } from 'react';
import { useFocusAfterBusy } from '../focus.ts';
import styles from './button.module.css';

interface ButtonLook {
  look?: 'primary' | 'quiet' | 'danger' | 'water';
  size?: 'normal' | 'small' | 'large';
}

interface ButtonProps extends ComponentProps<'button'>, ButtonLook {
  /** Replaces the children and disables the button while work is running. Then the button gets its focus back. */
  busyText?: string | null;
}

export function Button({
  look = 'primary',
  size = 'normal',
  busyText = null,
  children,
  disabled,
  className,
  ref,
  ...rest
}: ButtonProps) {
  const button = useFocusAfterBusy(busyText !== null);
  useImperativeHandle<HTMLButtonElement | null, HTMLButtonElement | null>(
    ref,
    () => button.current,
    [button],
  );
  const names = [buttonClass({ look, size }), className];
  return (
    <button
      type="button"
      {...rest}
      ref={button}
      className={names.filter(Boolean).join(' ')}
      disabled={disabled || busyText !== null}
    >
      {/* Elements with keys: on a page that the browser translates, React fails to remove a text node. */}
      <span key={busyText === null ? 'idle' : 'busy'} className={styles.content}>
        {busyText ?? children}
      </span>
    </button>
  );
}

/** For links that look like a button. */
export function buttonClass({ look = 'primary', size = 'normal' }: ButtonLook = {}): string {
  return [styles.button, styles[look], styles[size]].filter(Boolean).join(' ');
}

/** A button with only an icon; `label` is its accessible name. */
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
