import { CircleAlert, Info } from 'lucide-react';
import type { ReactNode } from 'react';
import styles from './banner.module.css';

/** A message that stays with what it is about; an error is read out at once. */
export function Banner({ look, children }: { look: 'error' | 'info'; children: ReactNode }) {
  const Icon = look === 'error' ? CircleAlert : Info;
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
