import { articleCategories, articlesIn } from '#domain/article.ts';
import { ArticleCategory } from './article-category.tsx';
import styles from './article-list.module.css';
import { articles } from './articles.ts';

/** All articles by category. */
export function ArticleList() {
  return (
    <div className={styles.categories}>
      {articleCategories.map(({ id, name }) => (
        <ArticleCategory key={id} id={id} name={name} articles={articlesIn(articles, id)} />
      ))}
    </div>
  );
}
