import type { ReactNode } from 'react';
import styles from './page-title.module.css';

/** The screen's only h1. Also sets the document's title. */
export function PageTitle({
  title,
  subtitle,
  children,
}: {
  title: string;
  subtitle: string;
  children?: ReactNode;
}) {
  return (
    <header className={styles.header}>
      <title>{`${title} · Sprig`}</title>
      <div>
        <h1>{title}</h1>
        <p>{subtitle}</p>
      </div>
      {children}
    </header>
  );
}
