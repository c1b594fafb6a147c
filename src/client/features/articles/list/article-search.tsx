import { Search } from 'lucide-react';
import { useState } from 'react';
import styles from './article-search.module.css';

/** Holds what is typed; the product does not search its articles yet (spec section 2, Articles list). */
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
