import { createFileRoute } from '@tanstack/react-router';
import { ArticleMissing } from '#client/features/articles/page/article-missing.tsx';
import { ArticlePage } from '#client/features/articles/page/article-page.tsx';
import { loadArticle } from '#client/features/articles/page/load-article.ts';
import { Spinner } from '#client/ui/feedback/spinner.tsx';

export const Route = createFileRoute('/dashboard/articles/$slug')({
  codeSplitGroupings: [['loader', 'component']],
  loader: ({ params }) => loadArticle(params.slug),
  component: ArticleRoute,
  pendingComponent: () => <Spinner label="Loading article..." />,
  // A text on the device loads too fast to be seen; the spinner shows only during a real wait.
  pendingMs: 100,
  pendingMinMs: 0,
});

function ArticleRoute() {
  const article = Route.useLoaderData();
  return article ? <ArticlePage key={article.slug} article={article} /> : <ArticleMissing />;
}
