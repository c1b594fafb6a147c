import { Search } from 'lucide-react';
import { useState } from 'react';
import styles from './article-search.module.css';

/** Keeps its text but does not filter; the product has no article search yet (spec section 2, Articles list). */
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
