import { createFileRoute, Link } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import { recentArticles } from '#domain/article.ts';
import { ArticleMissing } from '#features/articles/article-missing.tsx';
import { ArticlePage } from '#features/articles/article-page.tsx';
import { articles } from '#features/articles/articles.ts';
import { loadArticle } from '#features/articles/load-article.ts';
import { RecentArticles } from '#features/articles/recent-articles.tsx';
import { Spinner } from '#ui/spinner.tsx';
import { ArticleLink } from './-article-link.tsx';
import styles from './dashboard.articles.module.css';

export const Route = createFileRoute('/dashboard/articles/$slug')({
  codeSplitGroupings: [['loader', 'component']],
  loader: ({ params }) => loadArticle(params.slug),
  component: ArticleRoute,
  pendingComponent: () => <Spinner label="Loading article..." />,
  // A text that is already on the device comes faster than an eye sees; only a wait is shown.
  pendingMs: 100,
  pendingMinMs: 0,
});

function ArticleRoute() {
  const article = Route.useLoaderData();
  if (!article) return <ArticleMissing back={<BackLink to="Back to Articles" />} />;
  return (
    <ArticlePage
      key={article.slug}
      article={article}
      back={<BackLink to="Back to Articles" />}
      end={<BackLink to="Return to Articles" />}
      recent={
        <RecentArticles
          articles={recentArticles(articles, article.slug)}
          renderLink={(other) => <ArticleLink {...other} />}
          all={<Link to="/dashboard/articles">View all articles</Link>}
        />
      }
    />
  );
}

function BackLink({ to }: { to: string }) {
  return (
    <Link to="/dashboard/articles" className={styles.back}>
      <ArrowLeft aria-hidden size={18} /> {to}
    </Link>
  );
}
