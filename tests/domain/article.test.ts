import { expect, test } from 'vitest';
import {
  type ArticleCategoryId,
  type ArticleSummary,
  articleBySlug,
  articlesIn,
  hasTableOfContents,
  newestArticles,
  recentArticles,
} from '#domain/article.ts';

const articles = [
  article(1, '2026-03-12', 'indoor-plants'),
  article(2, '2025-11-18', 'seasonal-tips'),
  article(3, '2026-09-15', 'indoor-plants'),
  article(4, '2026-04-21', 'plant-care'),
  article(5, '2026-06-09', 'plant-care'),
  article(6, '2026-05-05', 'plant-care'),
];

function article(id: number, publishedDate: string, categoryId: ArticleCategoryId): ArticleSummary {
  const slug = `article-${id}`;
  return { id, slug, title: slug, categoryId, publishedDate, excerpt: '', readTimeMinutes: 5 };
}

function ids(found: readonly ArticleSummary[]): number[] {
  return found.map(({ id }) => id);
}

test('returns the articles of a category in the given order', () => {
  expect(ids(articlesIn(articles, 'plant-care'))).toEqual([4, 5, 6]);
  expect(ids(articlesIn(articles, 'indoor-plants'))).toEqual([1, 3]);
});

test('finds an article by its slug', () => {
  expect(articleBySlug(articles, 'article-2')?.id).toBe(2);
  expect(articleBySlug(articles, 'Article-2')).toBeUndefined();
  expect(articleBySlug(articles, '__proto__')).toBeUndefined();
});

test('returns the newest 5 articles by default, newest first', () => {
  expect(ids(newestArticles(articles))).toEqual([3, 5, 6, 4, 1]);
  expect(ids(newestArticles(articles, 2))).toEqual([3, 5]);
  expect(ids(newestArticles(articles, 99))).toHaveLength(6);
  expect(ids(articles)).toEqual([1, 2, 3, 4, 5, 6]);
});

test('recommends 4 other articles, never the one being read', () => {
  expect(ids(recentArticles(articles, 'article-3'))).toEqual([5, 6, 4, 1]);
  expect(ids(recentArticles(articles, 'article-2'))).toEqual([3, 5, 6, 4]);
});

test('an article has a table of contents only if its text is longer than 2000 characters', () => {
  expect(hasTableOfContents('x'.repeat(2000))).toBe(false);
  expect(hasTableOfContents('x'.repeat(2001))).toBe(true);
});
