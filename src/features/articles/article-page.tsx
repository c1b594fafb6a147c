import { type ReactNode, useLayoutEffect, useMemo, useRef } from 'react';
import { type Article, hasTableOfContents } from '#domain/article.ts';
import { formatMoment } from '#domain/dates.ts';
import { ArticleContents } from './article-contents.tsx';
import styles from './article-page.module.css';
import text from './article-text.module.css';
import { ReadTime } from './read-time.tsx';
import { renderArticle } from './render-article.ts';
import { useReading } from './use-reading.ts';

interface ArticlePageProps {
  article: Article;
  /** Links to the list, above and below the text. */
  back: ReactNode;
  end: ReactNode;
  recent: ReactNode;
}

export function ArticlePage({ article, back, end, recent }: ArticlePageProps) {
  const body = useRef<HTMLDivElement>(null);
  const bar = useRef<HTMLDivElement>(null);
  const { slug, content } = article;
  const rendered = useMemo(() => renderArticle({ slug, content }), [slug, content]);
  useLayoutEffect(() => {
    body.current?.replaceChildren(rendered.body.cloneNode(true));
    // An address may name a section; it is here only now.
    const { hash } = window.location;
    if (hash) document.getElementById(decodeURIComponent(hash.slice(1)))?.scrollIntoView();
  }, [rendered]);
  const current = useReading(body, bar, rendered.sections);
  return (
    <div className={styles.page}>
      <title>{`${article.title} · Sprig`}</title>
      <div className={styles.progress} aria-hidden>
        <div ref={bar} />
      </div>
      <div className={styles.back}>{back}</div>
      <article className={styles.article}>
        <header className={styles.head}>
          <p className={styles.facts}>
            <ReadTime minutes={article.readTimeMinutes} look="badge" />
            <time dateTime={article.publishedDate}>
              {formatMoment(Date.parse(article.publishedDate), 'date')}
            </time>
          </p>
          <h1>{article.title}</h1>
          <p className={styles.excerpt}>{article.excerpt}</p>
          {article.imageUrl && <img src={article.imageUrl} alt="" width="1260" height="750" />}
        </header>
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
          {end}
        </div>
      </article>
      <div className={styles.recent}>{recent}</div>
    </div>
  );
}
