import { CircleAlert, CircleCheck, Info } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../form/button.tsx';
import styles from './banner.module.css';

const icons = { error: CircleAlert, info: Info, success: CircleCheck } as const;

/** A message that stays with what it is about; an error is read out at once. */
export function Banner({
  look,
  onDismiss,
  children,
}: {
  look: keyof typeof icons;
  /** With a Dismiss button where it is given. */
  onDismiss?: () => void;
  children: ReactNode;
}) {
  const Icon = icons[look];
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
