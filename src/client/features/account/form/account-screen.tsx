import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { focusOnMount } from '#client/ui/focus.ts';
import logo from '#client/ui/logo.svg';
import styles from './account-screen.module.css';

/** A screen for visitors: one card with a heading, a form and links to the related screens. */
export function AccountScreen({
  name,
  heading,
  intro,
  isOutcome = false,
  below,
  children,
}: {
  /** For the browser's title. */
  name: string;
  heading: string;
  intro: ReactNode;
  /** Replaces a form after submit: the heading gets the focus, so that screen readers read it out. */
  isOutcome?: boolean;
  below?: ReactNode;
  children?: ReactNode;
}) {
  return (
    <div className={styles.page}>
      <title>{`${name} · Sprig`}</title>
      <header className={styles.header}>
        <Link to="/landing" className={styles.logo}>
          <img src={logo} alt="" width="32" height="32" /> Sprig
        </Link>
      </header>
      <main className={styles.main}>
        <div className={styles.card}>
          <h1 tabIndex={-1} ref={isOutcome ? focusOnMount : null}>
            {heading}
          </h1>
          <p className={styles.intro}>{intro}</p>
          {children}
        </div>
        {below && <p className={styles.below}>{below}</p>}
      </main>
    </div>
  );
}
