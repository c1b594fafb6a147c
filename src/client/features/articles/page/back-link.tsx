import { Link } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import styles from './back-link.module.css';

/** Leads from an article to the list of articles. */
export function BackLink({ label }: { label: string }) {
  return (
    <Link to="/dashboard/articles" className={styles.back}>
      <ArrowLeft aria-hidden size={18} /> {label}
    </Link>
  );
}
