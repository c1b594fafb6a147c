import { Link } from '@tanstack/react-router';
import type { ArticleSummary } from '#domain/article.ts';
import { ArticleEntry } from '../list/article-entry.tsx';
import styles from './recent-articles.module.css';

export function RecentArticles({ articles }: { articles: readonly ArticleSummary[] }) {
  return (
    <aside className={styles.recent} aria-labelledby="recent-articles">
      <h2 id="recent-articles">Recent Articles</h2>
      <ul>
        {articles.map((article) => (
          <ArticleEntry key={article.slug} article={article} />
        ))}
      </ul>
      <p className={styles.all}>
        <Link to="/dashboard/articles">View all articles</Link>
      </p>
    </aside>
  );
}
