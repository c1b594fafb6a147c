import { createFileRoute } from '@tanstack/react-router';
import { ArticleList, ArticleSearch } from '#client/features/articles/list/article-list.tsx';
import { PageTitle } from '#client/ui/layout/frame.tsx';

export const Route = createFileRoute('/dashboard/articles/')({ component: Articles });

function Articles() {
  const isInstalled = Boolean(navigator.serviceWorker?.controller);
  return (
    <>
      <PageTitle
        title="Plant Articles"
        subtitle={`Care guides${isInstalled ? ' that work offline too' : ''}`}
      >
        <ArticleSearch />
      </PageTitle>
      <ArticleList />
    </>
  );
}
