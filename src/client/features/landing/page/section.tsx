import { type ReactNode, useId } from 'react';
import styles from './section.module.css';

/** A section with an id that links can point to. */
export function Section({
  id,
  title,
  intro,
  children,
}: {
  id: string;
  title: string;
  intro: string;
  children: ReactNode;
}) {
  const headingId = useId();
  return (
    <section id={id} className={styles.section} aria-labelledby={headingId}>
      <div className={styles.inner}>
        <h2 id={headingId}>{title}</h2>
        <p className={styles.intro}>{intro}</p>
        {children}
      </div>
    </section>
  );
}
