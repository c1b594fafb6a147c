import type { ReactNode } from 'react';
import styles from './notice.module.css';

/** A card about something that happened out of sight. It stays until it is dismissed. */
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
  /** Screen readers read it out at once. */
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
