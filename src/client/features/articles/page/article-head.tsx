import type { ArticleSummary } from '#domain/article.ts';
import { formatMoment } from '#domain/time.ts';
import { ReadTime } from '../list/read-time.tsx';
import styles from './article-page.module.css';

/** Date, title, excerpt and picture above an article's text. */
export function ArticleHead({ article }: { article: ArticleSummary }) {
  const { title, excerpt, imageUrl, publishedDate, readTimeMinutes } = article;
  return (
    <header className={styles.head}>
      <p className={styles.facts}>
        <ReadTime minutes={readTimeMinutes} look="badge" />
        <time dateTime={publishedDate}>{formatMoment(Date.parse(publishedDate), 'date')}</time>
      </p>
      <h1>{title}</h1>
      <p className={styles.excerpt}>{excerpt}</p>
      {imageUrl && <img src={imageUrl} alt="" width="1260" height="750" />}
    </header>
  );
}
