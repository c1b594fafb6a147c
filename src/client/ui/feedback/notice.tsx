import type { ReactNode } from 'react';
import styles from './notice.module.css';

/** A card that says what happened elsewhere than where the person looks, until they put it away. */
export function Notice({
  look,
  title,
  children,
  actions,
  isUrgent,
}: {
  look: 'bad' | 'info';
  title: string;
  children?: ReactNode;
  actions?: ReactNode;
  /** Read out at once. */
  isUrgent?: boolean;
}) {
  return (
    <section
      className={styles.notice}
      data-look={look}
      aria-label="Notice"
      role={isUrgent ? 'alert' : undefined}
    >
      <div className={styles.words}>
        <p>{title}</p>
        {children}
      </div>
      {actions && <div className={styles.actions}>{actions}</div>}
    </section>
  );
}
