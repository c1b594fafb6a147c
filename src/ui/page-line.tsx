import type { ReactNode } from 'react';
import styles from './page-line.module.css';

/** A line above a screen about all of it. What passes is read out, and is not what the next start shows first. */
export function PageLine({
  isPassing = false,
  children,
}: {
  isPassing?: boolean;
  children: ReactNode;
}) {
  return isPassing ? (
    <p className={styles.line} role="status" data-passing="block">
      {children}
    </p>
  ) : (
    <p className={`${styles.line} ${styles.lasting}`}>{children}</p>
  );
}
