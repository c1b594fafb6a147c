import { createFileRoute, Link } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import { ArticleLink } from '#client/features/articles/list/article-link.tsx';
import { articles } from '#client/features/articles/list/articles.ts';
import { ArticleMissing } from '#client/features/articles/page/article-missing.tsx';
import { ArticlePage } from '#client/features/articles/page/article-page.tsx';
import { loadArticle } from '#client/features/articles/page/load-article.ts';
import { RecentArticles } from '#client/features/articles/page/recent-articles.tsx';
import { Spinner } from '#client/ui/feedback/spinner.tsx';
import { recentArticles } from '#domain/article.ts';
import styles from './-articles.module.css';

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
