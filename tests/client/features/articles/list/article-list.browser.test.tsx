import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { articles } from '#client/features/articles/list/articles.ts';
import { fakeApi } from '../../../../support/component/api.ts';
import { openApp, signInAs } from '../../../../support/component/open-app.tsx';

beforeEach(async () => {
  fakeApi();
  await signInAs();
  await openApp('/dashboard/articles');
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('Plant Articles');
});

const texts = (selector: string, root: ParentNode = document) =>
  [...root.querySelectorAll(selector)].map(({ textContent }) => textContent?.trim());

test('shows every article with its read time in its category', () => {
  expect(document.title).toBe('Plant Articles · Sprig');
  const cards = [...document.querySelectorAll('main section')].map((card) => [
    ...texts('h2', card),
    texts('h3', card),
    texts('li span > span', card),
  ]);
  expect(cards).toEqual([
    [
      'Indoor Plants',
      ['Top 10 Low-Maintenance Indoor Plants', 'Best Indoor Plants for Air Purification'],
      ['5 min read', '6 min read'],
    ],
    [
      'Plant Care',
      [
        'The Science of Watering Plants Correctly',
        'How to Keep Indoor Plants Thriving',
        'Understanding Plant Nutrition',
      ],
      ['7 min read', '6 min read', '8 min read'],
    ],
    ['Seasonal Tips', ['Winter Plant Care'], ['8 min read']],
  ]);
  expect(texts('main h3 + p').sort()).toEqual(articles.map(({ excerpt }) => excerpt).sort());
});

test('every article has a picture of its own', () => {
  const pictures = [...document.querySelectorAll('main img')];
  expect(new Set(pictures.map((picture) => picture.getAttribute('src'))).size).toBe(6);
  for (const picture of pictures) {
    expect([picture.getAttribute('width'), picture.getAttribute('height')]).toEqual([
      '1260',
      '750',
    ]);
  }
});

test('the search keeps its text and filters nothing', async () => {
  const search = page.getByPlaceholder('Search articles...');
  await search.fill('no such words');
  await expect.element(search).toHaveValue('no such words');
  expect(texts('main h3')).toHaveLength(6);
});
