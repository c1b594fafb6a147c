import { House, Search, Sprout, Sun } from 'lucide-react';
import { useState } from 'react';
import {
  type ArticleCategoryId,
  type ArticleSummary,
  articleCategories,
  articlesIn,
} from '#domain/article.ts';
import { ArticleEntry } from './article-entry.tsx';
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

/** A search field that does not filter: the product has no article search yet (spec section 2, Articles list). */
export function ArticleSearch() {
  const [text, setText] = useState('');
  return (
    <div className={styles.search}>
      <Search aria-hidden size={18} />
      <input
        type="search"
        enterKeyHint="search"
        aria-label="Search articles"
        placeholder="Search articles..."
        autoComplete="off"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
    </div>
  );
}

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
