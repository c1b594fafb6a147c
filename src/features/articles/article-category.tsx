import { House, Sprout, Sun } from 'lucide-react';
import type { ReactNode } from 'react';
import type { ArticleCategoryId, ArticleSummary } from '#domain/article.ts';
import styles from './article-category.module.css';
import { ReadTime } from './read-time.tsx';

const icons = { 'indoor-plants': House, 'plant-care': Sprout, 'seasonal-tips': Sun };

interface ArticleCategoryProps {
  id: ArticleCategoryId;
  name: string;
  articles: readonly ArticleSummary[];
  /** The title as a link to the article. */
  renderLink: (article: ArticleSummary) => ReactNode;
}

export function ArticleCategory({ id, name, articles, renderLink }: ArticleCategoryProps) {
  const Icon = icons[id];
  return (
    <section className={styles.category} aria-labelledby={`category-${id}`}>
      <h2 id={`category-${id}`}>
        <Icon aria-hidden size={22} /> {name}
      </h2>
      <ul className={styles.articles}>
        {articles.map((article) => (
          <li key={article.slug} className={styles.article}>
            {article.imageUrl && (
              <img src={article.imageUrl} alt="" width="1260" height="750" loading="lazy" />
            )}
            <div className={styles.words}>
              <h3>{renderLink(article)}</h3>
              <p className={styles.excerpt}>{article.excerpt}</p>
              <ReadTime minutes={article.readTimeMinutes} />
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
