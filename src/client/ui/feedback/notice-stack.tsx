import type { ReactNode } from 'react';
import { aboveDialogs } from '../overlay/above-dialogs.ts';
import styles from './notice-stack.module.css';

/**
 * Where notices stand: at the bottom edge, in a room of their own that the screen ends above; over a dialog at the top.
 * It stands there empty too: a dialog hides the rest of the page from screen readers when it opens, but nothing live.
 */
export function NoticeStack({ children }: { children: ReactNode }) {
  return (
    <div className={styles.stack} aria-live="off" {...aboveDialogs}>
      {children}
    </div>
  );
}
