import type { ReactNode } from 'react';
import type { ArticleSummary } from '#domain/article.ts';
import { ReadTime } from '../page/read-time.tsx';
import styles from './article-entry.module.css';

/** An article in a list of them; the list says how large its parts are. `link`: its title as a link to it. */
export function ArticleEntry({ article, link }: { article: ArticleSummary; link: ReactNode }) {
  const { imageUrl, excerpt, readTimeMinutes } = article;
  return (
    <li className={styles.entry}>
      {imageUrl && <img src={imageUrl} alt="" width="1260" height="750" loading="lazy" />}
      <div className={styles.words}>
        <h3>{link}</h3>
        <p>{excerpt}</p>
        <ReadTime minutes={readTimeMinutes} />
      </div>
    </li>
  );
}
