import type { ReactNode } from 'react';
import styles from './prompt.module.css';

/** An offer at the lower edge of the screen; it takes no focus and waits. */
export function Prompt({ text, children }: { text: ReactNode; children: ReactNode }) {
  return (
    <div className={styles.prompt} role="status" data-prompt>
      <p>{text}</p>
      <div className={styles.actions}>{children}</div>
    </div>
  );
}
