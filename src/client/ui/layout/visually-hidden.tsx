import type { ReactNode } from 'react';
import styles from './visually-hidden.module.css';

/** Text that only a screen reader meets. */
export function VisuallyHidden({ children }: { children: ReactNode }) {
  return <p className={styles.hidden}>{children}</p>;
}
