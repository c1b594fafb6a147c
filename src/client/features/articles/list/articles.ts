import type { ArticleSummary } from '#domain/article.ts';

const files = import.meta.glob<string>('../pictures/*.svg', {
  eager: true,
  query: '?url',
  import: 'default',
});

/** The URL of an article's picture, 1260×750; '' if it has none. */
function articlePictureUrl(slug: string): string {
  return files[`../pictures/${slug}.svg`] ?? '';
}

// Read from the front matter by a Vite plugin (src/build/article-summaries.ts).
const summaries = import.meta.glob<ArticleSummary>('../content/*.md', {
  eager: true,
  query: '?summary',
  import: 'default',
});

/** The built-in articles without their texts, by id. */
export const articles: readonly ArticleSummary[] = Object.values(summaries)
  .map((summary) => ({ ...summary, imageUrl: articlePictureUrl(summary.slug) }))
  .sort((a, b) => a.id - b.id);
