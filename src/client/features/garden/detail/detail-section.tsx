import type { ReactNode } from 'react';
import styles from './detail-section.module.css';

/** A titled part of a plant's details. */
export function DetailSection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={styles.section}>
      <h3>{title}</h3>
      {children}
    </section>
  );
}
