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
  isResult = false,
  below,
  children,
}: {
  /** The document's title. */
  name: string;
  heading: string;
  intro: ReactNode;
  /** The screen replaces a form after its submit. The heading gets the focus, so that screen readers read it out. */
  isResult?: boolean;
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
      <main className={styles.main} tabIndex={-1}>
        <div className={styles.card}>
          <h1 tabIndex={-1} ref={isResult ? focusOnMount : null}>
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

interface ReturnPath {
  from?: string | undefined;
}

/**
 * For the `search` of links between account screens: keeps the path that the person tried to open, so that signing in
 * leads there even after other account screens.
 */
export function keepReturnPath({ from }: ReturnPath): ReturnPath {
  return { from };
}

export function BackToSignIn() {
  return (
    <Link to="/signin" search={keepReturnPath}>
      Back to sign in
    </Link>
  );
}
