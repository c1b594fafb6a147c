import { CircleAlert, CircleCheck, Info } from 'lucide-react';
import type { ReactNode, Ref } from 'react';
import { Button } from '../form/button.tsx';
import styles from './banner.module.css';

const icons = { error: CircleAlert, info: Info, success: CircleCheck } as const;
const roles = { error: 'alert', info: 'status', success: undefined } as const;

/**
 * A message beside the content that it is about. Screen readers read out an error at once. A success is no live region,
 * because readers may miss a polite one that appears together with its text. A caller that shows it after a tap has one
 * around it.
 */
export function Banner({
  look,
  onDismiss,
  children,
}: {
  look: keyof typeof icons;
  /** Adds a Dismiss button. */
  onDismiss?: () => void;
  children: ReactNode;
}) {
  const Icon = icons[look];
  return (
    <div className={`${styles.banner} ${styles[look]}`} role={roles[look]}>
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

/** A button in a banner that tries again what failed. */
export function TryAgain({ ref, onClick }: { ref?: Ref<HTMLButtonElement>; onClick: () => void }) {
  return (
    <Button ref={ref} look="quiet" size="small" className={styles.retry} onClick={onClick}>
      Try Again
    </Button>
  );
}
