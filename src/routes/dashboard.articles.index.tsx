import { createFileRoute } from '@tanstack/react-router';
import { articleCategories, articlesIn } from '#domain/article.ts';
import { ArticleCategory } from '#features/articles/article-category.tsx';
import { ArticleSearch } from '#features/articles/article-search.tsx';
import { articles } from '#features/articles/articles.ts';
import { PageTitle } from '#ui/page-title.tsx';
import { ArticleLink } from './-article-link.tsx';
import styles from './dashboard.articles.module.css';

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
