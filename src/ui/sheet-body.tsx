import type { ReactNode, RefObject } from 'react';
import styles from './sheet-body.module.css';

/** What scrolls in a sheet. It can hold the focus: when the sheet opens, and when what had it goes away. */
export function SheetBody({
  ref,
  children,
}: {
  ref: RefObject<HTMLDivElement | null>;
  children: ReactNode;
}) {
  return (
    <div ref={ref} className={styles.body} tabIndex={-1}>
      {children}
    </div>
  );
}
