import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { articles } from '#client/features/articles/list/articles.ts';
import { loadArticle } from '#client/features/articles/page/load-article.ts';

const folder = path.join(import.meta.dirname, '../../../../../src/client/features/articles');

test('only the six articles of the specification exist', () => {
  expect(
    articles.map(({ id, slug, categoryId, readTimeMinutes }) => [
      id,
      slug,
      categoryId,
      readTimeMinutes,
    ]),
  ).toEqual([
    [1, 'top-10-low-maintenance-indoor-plants', 'indoor-plants', 5],
    [2, 'science-of-watering-plants-correctly', 'plant-care', 7],
    [3, 'keep-indoor-plants-thriving', 'plant-care', 6],
    [4, 'winter-plant-care', 'seasonal-tips', 8],
    [5, 'understanding-plant-nutrition', 'plant-care', 8],
    [6, 'best-indoor-plants-air-purification', 'indoor-plants', 6],
  ]);
  expect(fs.readdirSync(path.join(folder, 'content')).sort()).toEqual(
    articles.map(({ slug }) => `${slug}.md`).sort(),
  );
});

test.each(articles)(
  '$slug has a text as long as its read time says, headings below level 1, and sources',
  async (article) => {
    const loaded = await loadArticle(article.slug);
    const content = loaded?.content ?? '';
    expect(loaded?.sources.length).toBeGreaterThanOrEqual(2);
    expect(content.length).toBeGreaterThan(2000);
    expect(content).not.toMatch(/^# /m);
    expect(content).toMatch(/^## /m);
    const words = content.match(/\p{L}[\p{L}\p{N}'’-]*|\d[\d.,]*/gu) ?? [];
    const wordsPerMinute = words.length / article.readTimeMinutes;
    expect(wordsPerMinute).toBeGreaterThanOrEqual(200);
    expect(wordsPerMinute).toBeLessThanOrEqual(230);
  },
);

test.each(articles)('$slug has a picture of its own, 1260×750', ({ slug, imageUrl }) => {
  expect(imageUrl).toContain(slug);
  const picture = read(`pictures/${slug}.svg`);
  expect(picture).toContain('viewBox="0 0 1260 750"');
  expect(picture).not.toMatch(/<script|https?:\/\/(?!www\.w3\.org)/);
});

test.each(['no-such-article', '', '../secrets', 'WINTER-PLANT-CARE'])(
  'there is no article %j',
  async (slug) => {
    expect(await loadArticle(slug)).toBeNull();
  },
);

function read(name: string): string {
  return fs.readFileSync(path.join(folder, name), 'utf8');
}
