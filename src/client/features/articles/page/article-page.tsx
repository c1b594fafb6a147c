import { useLayoutEffect, useMemo, useRef } from 'react';
import { type Article, hasTableOfContents, recentArticles } from '#domain/article.ts';
import { articles } from '../list/articles.ts';
import { renderArticle } from '../markdown/render-article.ts';
import { ArticleContents } from './article-contents.tsx';
import { ArticleHead } from './article-head.tsx';
import styles from './article-page.module.css';
import text from './article-text.module.css';
import { BackLink } from './back-link.tsx';
import { RecentArticles } from './recent-articles.tsx';
import { useReading } from './use-reading.ts';

export function ArticlePage({ article }: { article: Article }) {
  const body = useRef<HTMLDivElement>(null);
  const bar = useRef<HTMLDivElement>(null);
  const { slug, content } = article;
  const rendered = useMemo(() => renderArticle({ slug, content }), [slug, content]);
  useLayoutEffect(() => {
    body.current?.replaceChildren(rendered.body.cloneNode(true));
    // The address may name a section, which exists only now.
    document.getElementById(sectionNamed(window.location.hash))?.scrollIntoView();
  }, [rendered]);
  const current = useReading(body, bar, rendered.sections);
  const section = rendered.sections.find(({ id }) => id === current);
  return (
    <div className={styles.page}>
      <title>{`${article.title} · Sprig`}</title>
      <div className={styles.progress} aria-hidden>
        {section && hasTableOfContents(content) && <p>{section.title}</p>}
        <div ref={bar} />
      </div>
      <div className={styles.back}>
        <BackLink label="Back to Articles" />
      </div>
      <article className={styles.article}>
        <ArticleHead article={article} />
        {hasTableOfContents(content) && (
          <div className={styles.contents}>
            <ArticleContents sections={rendered.sections} current={current} />
          </div>
        )}
        <div className={styles.text}>
          <div ref={body} className={text.text} />
          <footer className={styles.sources}>
            <h2>Sources</h2>
            <ul>
              {article.sources.map((source) => (
                <li key={source}>{source}</li>
              ))}
            </ul>
          </footer>
          <BackLink label="Return to Articles" />
        </div>
      </article>
      <div className={styles.recent}>
        <RecentArticles articles={recentArticles(articles, slug)} />
      </div>
    </div>
  );
}

/** The section id in an address's hash; '' when it cannot be decoded. */
function sectionNamed(hash: string): string {
  try {
    return decodeURIComponent(hash.slice(1));
  } catch {
    return '';
  }
}
