import { CircleAlert, Info } from 'lucide-react';
import type { ReactNode } from 'react';
import styles from './banner.module.css';
import { Button } from './button.tsx';

/** A message that stays with what it is about; an error is read out at once. */
export function Banner({
  look,
  onDismiss,
  children,
}: {
  look: 'error' | 'info';
  /** With a Dismiss button where it is given. */
  onDismiss?: () => void;
  children: ReactNode;
}) {
  const Icon = look === 'error' ? CircleAlert : Info;
  return (
    <div
      className={`${styles.banner} ${styles[look]}`}
      role={look === 'error' ? 'alert' : 'status'}
    >
      <Icon aria-hidden size={20} />
      <div>{children}</div>
      {onDismiss && (
        <Button look="quiet" size="small" onClick={onDismiss}>
          Dismiss
        </Button>
      )}
    </div>
  );
}
