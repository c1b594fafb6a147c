import type { ReactNode } from 'react';
import styles from './empty-state.module.css';

/** A whole screen's worth of nothing, or of an error, with what to do about it. */
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
