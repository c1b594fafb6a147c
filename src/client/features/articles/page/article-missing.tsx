import styles from './article-missing.module.css';
import { BackLink } from './back-link.tsx';

/** The screen for an address that has no article (spec section 8). */
export function ArticleMissing() {
  return (
    <section className={styles.missing} role="alert">
      <title>Article not found · Sprig</title>
      <h1>
        <span>Article not found.</span>{' '}
        <small>The requested article does not exist or has been removed.</small>
      </h1>
      <BackLink label="Back to Articles" />
    </section>
  );
}
