/** The article categories in the order of their cards (spec section 2, Articles list). */
export const articleCategories = [
  { id: 'indoor-plants', name: 'Indoor Plants' },
  { id: 'plant-care', name: 'Plant Care' },
  { id: 'seasonal-tips', name: 'Seasonal Tips' },
] as const;

export type ArticleCategoryId = (typeof articleCategories)[number]['id'];

/** What lists show of an article. */
export interface ArticleSummary {
  id: number;
  title: string;
  slug: string;
  categoryId: ArticleCategoryId;
  excerpt: string;
  /** YYYY-MM-DD */
  publishedDate: string;
  readTimeMinutes: number;
  imageUrl?: string;
}

/** An article with its Markdown text and its sources (spec section 3, Article). */
export interface Article extends ArticleSummary {
  content: string;
  sources: readonly string[];
}

const contentsFromLength = 2000;

/** The articles of one category, in the given order. */
export function articlesIn<A extends ArticleSummary>(
  articles: readonly A[],
  categoryId: ArticleCategoryId,
): A[] {
  return articles.filter((article) => article.categoryId === categoryId);
}

/** The article with this slug, or undefined. */
export function articleBySlug<A extends ArticleSummary>(
  articles: readonly A[],
  slug: string,
): A | undefined {
  return articles.find((article) => article.slug === slug);
}

/** The newest articles by published date, 5 by default (spec section 9). */
export function newestArticles<A extends ArticleSummary>(articles: readonly A[], count = 5): A[] {
  return [...articles]
    .sort((a, b) => Date.parse(b.publishedDate) - Date.parse(a.publishedDate))
    .slice(0, count);
}

/** The 4 newest articles except the one being read (spec section 9). */
export function recentArticles<A extends ArticleSummary>(
  articles: readonly A[],
  slug: string,
): A[] {
  return newestArticles(
    articles.filter((article) => article.slug !== slug),
    4,
  );
}

/** Whether the Markdown text is longer than 2000 characters (spec section 9). */
export function hasTableOfContents(content: string): boolean {
  return content.length > contentsFromLength;
}
