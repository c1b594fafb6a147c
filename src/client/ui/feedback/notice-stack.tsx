import type { ReactNode } from 'react';
import { aboveDialogs } from '../overlay/above-dialogs.ts';
import styles from './notice-stack.module.css';

/**
 * The place of all notices: the bottom edge, in space that the screen leaves free, or the top while a dialog is open.
 * It is rendered even when empty, because an opening dialog hides everything but live regions from screen readers.
 */
export function NoticeStack({ children }: { children: ReactNode }) {
  return (
    <div className={styles.stack} aria-live="off" {...aboveDialogs}>
      {children}
    </div>
  );
}
