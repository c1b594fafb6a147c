import { CircleAlert, CircleCheck, Info } from 'lucide-react';
import type { ReactNode } from 'react';
import styles from './banner.module.css';

const icons = { error: CircleAlert, info: Info, success: CircleCheck } as const;

/** A message that stays with what it is about; an error is read out at once. */
export function Banner({ look, children }: { look: keyof typeof icons; children: ReactNode }) {
  const Icon = icons[look];
  return (
    <div
      className={`${styles.banner} ${styles[look]}`}
      role={look === 'error' ? 'alert' : 'status'}
    >
      <Icon aria-hidden size={20} />
      <div>{children}</div>
    </div>
  );
}
