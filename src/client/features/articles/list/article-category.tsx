import { House, Sprout, Sun } from 'lucide-react';
import type { ArticleCategoryId, ArticleSummary } from '#domain/article.ts';
import styles from './article-category.module.css';
import { ArticleEntry } from './article-entry.tsx';

const icons = { 'indoor-plants': House, 'plant-care': Sprout, 'seasonal-tips': Sun };

interface ArticleCategoryProps {
  id: ArticleCategoryId;
  name: string;
  articles: readonly ArticleSummary[];
}

export function ArticleCategory({ id, name, articles }: ArticleCategoryProps) {
  const Icon = icons[id];
  return (
    <section className={styles.category} aria-labelledby={`category-${id}`}>
      <h2 id={`category-${id}`}>
        <Icon aria-hidden size={22} /> {name}
      </h2>
      <ul className={styles.articles}>
        {articles.map((article) => (
          <ArticleEntry key={article.slug} article={article} />
        ))}
      </ul>
    </section>
  );
}
