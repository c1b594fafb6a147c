import { expect, test } from 'vitest';
import { ArticleCategory } from '#client/features/articles/list/article-list.tsx';
import { ArticleHead } from '#client/features/articles/page/article-page.tsx';
import { RecentArticles } from '#client/features/articles/page/recent-articles.tsx';
import type { ArticleSummary } from '#domain/article.ts';
import { inDashboard } from '../../support/in-dashboard.tsx';
import { attributesOf, textsOf } from '../../support/markup.ts';

const article: ArticleSummary = {
  id: 7,
  title: 'Repotting',
  slug: 'repotting',
  categoryId: 'plant-care',
  excerpt: 'A larger home.',
  publishedDate: '2026-10-01',
  readTimeMinutes: 3,
};

test.each([
  ['above its text', (one: ArticleSummary) => <ArticleHead article={one} />],
  [
    'in its category',
    (one: ArticleSummary) =>
      inDashboard(<ArticleCategory id="plant-care" name="Plant Care" articles={[one]} />),
  ],
  [
    'beside another article',
    (one: ArticleSummary) => inDashboard(<RecentArticles articles={[one]} />),
  ],
])('the picture of an article is optional %s', (_, show) => {
  const texts = textsOf(show(article));
  expect(texts).toEqual(expect.arrayContaining(['3 min read', 'Repotting', 'A larger home.']));
  for (const without of [article, { ...article, imageUrl: '' }]) {
    expect(attributesOf(show(without), 'img')).toEqual([]);
  }
  const [picture] = attributesOf(show({ ...article, imageUrl: '/pot.svg' }), 'img');
  expect(picture).toMatchObject({ src: '/pot.svg', width: '1260', height: '750', alt: '' });
});
