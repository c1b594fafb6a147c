import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { buttonClass } from '#client/ui/form/button.tsx';
import logo from '#client/ui/logo.svg';
import styles from './site-frame.module.css';

/** The frame of the landing page and of the pages that are coming soon. `title`: the document's title. */
export function SiteFrame({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className={styles.page}>
      <title>{title}</title>
      <SiteHeader />
      <main tabIndex={-1}>{children}</main>
      <SiteFooter />
    </div>
  );
}

function SiteHeader() {
  return (
    <header className={styles.header}>
      <div className={styles.bar}>
        <Link to="/landing" className={styles.logo}>
          <img src={logo} alt="" width="32" height="32" /> Sprig
        </Link>
        {/* Plain links, because then the browser moves the keyboard focus to the section as well. */}
        <nav className={styles.anchors} aria-label="On the landing page">
          <a href="/landing#features">Features</a>
          <a href="/landing#how-it-works">How It Works</a>
        </nav>
        <nav className={styles.account} aria-label="Account">
          <Link to="/signin" className={styles.signIn}>
            Sign In
          </Link>
          <Link to="/signup" className={buttonClass()}>
            Sign Up
          </Link>
        </nav>
      </div>
    </header>
  );
}

const pages = [
  { to: '/about-us', name: 'About Us' },
  { to: '/blog', name: 'Blog' },
  { to: '/contact', name: 'Contact' },
  { to: '/help-center', name: 'Help Center' },
  { to: '/privacy-policy', name: 'Privacy Policy' },
  { to: '/terms-of-service', name: 'Terms of Service' },
] as const;

function SiteFooter() {
  return (
    <footer className={styles.footer}>
      <div className={styles.footerInner}>
        <p>Sprig, plant care that grows with you.</p>
        <nav aria-label="Footer">
          <ul>
            {pages.map(({ to, name }) => (
              <li key={to}>
                <Link to={to}>{name}</Link>
              </li>
            ))}
          </ul>
        </nav>
      </div>
    </footer>
  );
}
