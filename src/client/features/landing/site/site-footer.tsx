import { Link } from '@tanstack/react-router';
import styles from './site-footer.module.css';

const pages = [
  { to: '/about-us', name: 'About Us' },
  { to: '/blog', name: 'Blog' },
  { to: '/contact', name: 'Contact' },
  { to: '/help-center', name: 'Help Center' },
  { to: '/privacy-policy', name: 'Privacy Policy' },
  { to: '/terms-of-service', name: 'Terms of Service' },
] as const;

export function SiteFooter() {
  return (
    <footer className={styles.footer}>
      <div className={styles.inner}>
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
