import type { ReactNode } from 'react';
import styles from './settings.module.css';

/** A section of the settings. Links point to it by its id. */
export function SettingsSection({
  id,
  title,
  intro,
  children,
}: {
  id: string;
  title: string;
  intro?: string;
  children: ReactNode;
}) {
  return (
    <section id={id} className={styles.section} aria-labelledby={`${id}-title`}>
      <div className={styles.head}>
        <h2 id={`${id}-title`} tabIndex={-1}>
          {title}
        </h2>
        {intro && <p>{intro}</p>}
      </div>
      <div className={styles.body}>{children}</div>
    </section>
  );
}
