import type { ReactNode } from 'react';
import styles from './screen-state.module.css';

export function Spinner({ label }: { label: string }) {
  return (
    <div className={styles.center} role="status">
      <span className={styles.ring} aria-hidden />
      <span className={styles.label}>{label}</span>
    </div>
  );
}

/** Fills a screen that has no content or failed to load. `children`: an explanation and actions, if any. */
export function EmptyState({
  title,
  picture,
  children,
  isError = false,
}: {
  title: string;
  picture?: string;
  children?: ReactNode;
  isError?: boolean;
}) {
  return (
    <section className={styles.empty} role={isError ? 'alert' : undefined}>
      {picture && <img src={picture} alt="" width="252" height="150" />}
      <h2>{title}</h2>
      {children}
    </section>
  );
}
