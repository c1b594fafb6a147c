import type { ReactNode } from 'react';
import styles from './prompt.module.css';

/** An offer at the lower edge of the screen. It does not take the focus and stays until it is answered. */
export function Prompt({ text, children }: { text: ReactNode; children: ReactNode }) {
  return (
    <div className={styles.prompt} role="status" data-prompt>
      <p>{text}</p>
      <div className={styles.actions}>{children}</div>
    </div>
  );
}
