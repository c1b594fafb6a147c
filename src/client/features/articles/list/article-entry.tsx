import { Link } from '@tanstack/react-router';
import type { ArticleSummary } from '#domain/article.ts';
import styles from './article-entry.module.css';
import { ReadTime } from './read-time.tsx';

/** One article of a list, which sets the size of its parts. */
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
