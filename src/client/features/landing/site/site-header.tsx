import { Link } from '@tanstack/react-router';
import { buttonClass } from '#client/ui/form/button.tsx';
import logo from '#client/ui/logo.svg';
import styles from './site-header.module.css';

export function SiteHeader() {
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
