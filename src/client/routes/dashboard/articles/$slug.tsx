import { createFileRoute } from '@tanstack/react-router';
import { ArticleMissing, ArticlePage } from '#client/features/articles/page/article-page.tsx';
import { loadArticle } from '#client/features/articles/page/load-article.ts';
import { Spinner } from '#client/ui/feedback/screen-state.tsx';

export const Route = createFileRoute('/dashboard/articles/$slug')({
  codeSplitGroupings: [['loader', 'component']],
  loader: ({ params }) => loadArticle(params.slug),
  component: ArticleRoute,
  pendingComponent: () => <Spinner label="Loading article..." />,
  // A cached text loads almost at once, so the spinner is shown only after this delay.
  pendingMs: 100,
  pendingMinMs: 0,
});

function ArticleRoute() {
  const article = Route.useLoaderData();
  return article ? <ArticlePage key={article.slug} article={article} /> : <ArticleMissing />;
}
