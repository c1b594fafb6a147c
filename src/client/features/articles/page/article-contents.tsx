import type { ArticleSection } from '../markdown/render-article.ts';
import styles from './article-contents.module.css';

interface ArticleContentsProps {
  sections: readonly ArticleSection[];
  /** The section that is read now. */
  current: string | undefined;
}

export function ArticleContents({ sections, current }: ArticleContentsProps) {
  return (
    <nav className={styles.contents} aria-labelledby="article-contents">
      <h2 id="article-contents">In this article:</h2>
      <ol>
        {sections.map(({ id, title }) => (
          <li key={id}>
            <a href={`#${id}`} aria-current={id === current ? 'location' : undefined}>
              {title}
            </a>
          </li>
        ))}
      </ol>
    </nav>
  );
}
