import { createFileRoute } from '@tanstack/react-router';
import { ArticleCategory } from '#client/features/articles/list/article-category.tsx';
import { ArticleLink } from '#client/features/articles/list/article-link.tsx';
import { ArticleSearch } from '#client/features/articles/list/article-search.tsx';
import { articles } from '#client/features/articles/list/articles.ts';
import { PageTitle } from '#client/ui/layout/page-title.tsx';
import { articleCategories, articlesIn } from '#domain/article.ts';
import styles from './-articles.module.css';

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
      <div className={styles.categories}>
        {articleCategories.map(({ id, name }) => (
          <ArticleCategory
            key={id}
            id={id}
            name={name}
            articles={articlesIn(articles, id)}
            renderLink={(article) => <ArticleLink {...article} />}
          />
        ))}
      </div>
    </>
  );
}
