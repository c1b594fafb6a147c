import { Link } from '@tanstack/react-router';
import { Clock } from 'lucide-react';
import type { ArticleSummary } from '#domain/article.ts';
import styles from './article-entry.module.css';

/** One article of a list. The list's style sheet sets the size of its parts. */
export function ArticleEntry({ article }: { article: ArticleSummary }) {
  const { slug, title, imageUrl, excerpt, readTimeMinutes } = article;
  return (
    <li className={styles.entry}>
      {imageUrl && <img src={imageUrl} alt="" width="1260" height="750" loading="lazy" />}
      <div className={styles.words}>
        <h3>
          <Link to="/dashboard/articles/$slug" params={{ slug }}>
            {title}
          </Link>
        </h3>
        <p>{excerpt}</p>
        <ReadTime minutes={readTimeMinutes} />
      </div>
    </li>
  );
}

export function ReadTime({
  minutes,
  look = 'plain',
}: {
  minutes: number;
  look?: 'plain' | 'badge';
}) {
  return (
    <span className={`${styles.time} ${styles[look]}`}>
      <Clock aria-hidden size={14} />
      <span>{minutes} min read</span>
    </span>
  );
}
