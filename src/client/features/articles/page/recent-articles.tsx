import type { ReactNode } from 'react';
import type { ArticleSummary } from '#domain/article.ts';
import { ArticleEntry } from '../list/article-entry.tsx';
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
          <ArticleEntry key={article.slug} article={article} link={renderLink(article)} />
        ))}
      </ul>
      <p className={styles.all}>{all}</p>
    </aside>
  );
}
