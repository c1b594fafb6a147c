import { Link } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import { useLayoutEffect, useMemo, useRef } from 'react';
import {
  type Article,
  type ArticleSummary,
  hasTableOfContents,
  recentArticles,
} from '#domain/article.ts';
import { formatMoment } from '#domain/dates.ts';
import { defaultZone } from '#domain/zone.ts';
import { ReadTime } from '../list/article-entry.tsx';
import { articles } from '../list/articles.ts';
import { type ArticleSection, renderArticle } from '../markdown/render-article.ts';
import styles from './article-page.module.css';
import text from './article-text.module.css';
import { RecentArticles } from './recent-articles.tsx';
import { useReadingProgress } from './use-reading-progress.ts';

export function ArticlePage({ article }: { article: Article }) {
  const body = useRef<HTMLDivElement>(null);
  const bar = useRef<HTMLDivElement>(null);
  const { slug, content } = article;
  const rendered = useMemo(() => renderArticle({ slug, content }), [slug, content]);
  useLayoutEffect(() => {
    body.current?.replaceChildren(rendered.body.cloneNode(true));
  }, [rendered]);
  const current = useReadingProgress(body, bar, rendered.sections);
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

/** Reading time, date, title, excerpt and picture above an article's text. */
export function ArticleHead({ article }: { article: ArticleSummary }) {
  const { title, excerpt, imageUrl, publishedDate, readTimeMinutes } = article;
  return (
    <header className={styles.head}>
      <p className={styles.facts}>
        <ReadTime minutes={readTimeMinutes} look="badge" />
        <time dateTime={publishedDate}>
          {formatMoment(Date.parse(publishedDate), 'date', defaultZone)}
        </time>
      </p>
      <h1>{title}</h1>
      <p className={styles.excerpt}>{excerpt}</p>
      {imageUrl && <img src={imageUrl} alt="" width="1260" height="750" />}
    </header>
  );
}

interface ArticleContentsProps {
  sections: readonly ArticleSection[];
  /** The id of the section being read; undefined before the first one. */
  current: string | undefined;
}

function ArticleContents({ sections, current }: ArticleContentsProps) {
  return (
    <nav className={styles.tableOfContents} aria-labelledby="article-contents">
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

/** A link from an article to the list of articles. */
function BackLink({ label }: { label: string }) {
  return (
    <Link to="/dashboard/articles" className={styles.backLink}>
      <ArrowLeft aria-hidden size={18} /> {label}
    </Link>
  );
}

/** The screen for a URL without an article (spec section 8). */
export function ArticleMissing() {
  return (
    <section className={styles.missing} role="alert">
      <title>Article not found · Sprig</title>
      <h1>
        <span>Article not found.</span>{' '}
        <small>The requested article does not exist or has been removed.</small>
      </h1>
      <BackLink label="Back to Articles" />
    </section>
  );
}
