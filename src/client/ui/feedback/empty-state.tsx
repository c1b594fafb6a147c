import type { ReactNode } from 'react';
import styles from './empty-state.module.css';

/** Fills a screen that has nothing to show, or an error, and offers what to do about it. */
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
