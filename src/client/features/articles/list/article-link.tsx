import { Link } from '@tanstack/react-router';
import type { ArticleSummary } from '#domain/article.ts';

/** An article's title as a link to it. */
export function ArticleLink({ slug, title }: ArticleSummary) {
  return (
    <Link to="/dashboard/articles/$slug" params={{ slug }}>
      {title}
    </Link>
  );
}
