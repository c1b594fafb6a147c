import type { ReactNode } from 'react';
import type { ArticleSummary } from '#domain/article.ts';
import { ReadTime } from './read-time.tsx';
import styles from './recent-articles.module.css';

interface RecentArticlesProps {
  articles: readonly ArticleSummary[];
  renderLink: (article: ArticleSummary) => ReactNode;
  /** The link to the list. */
  all: ReactNode;
}

export function RecentArticles({ articles, renderLink, all }: RecentArticlesProps) {
  return (
    <aside className={styles.recent} aria-labelledby="recent-articles">
      <h2 id="recent-articles">Recent Articles</h2>
      <ul>
        {articles.map((article) => (
          <li key={article.slug}>
            {article.imageUrl && (
              <img src={article.imageUrl} alt="" width="1260" height="750" loading="lazy" />
            )}
            <div className={styles.words}>
              <h3>{renderLink(article)}</h3>
              <p>{article.excerpt}</p>
              <ReadTime minutes={article.readTimeMinutes} />
            </div>
          </li>
        ))}
      </ul>
      <p className={styles.all}>{all}</p>
    </aside>
  );
}
