import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { ArticlePage } from '#client/features/articles/page/article-page.tsx';
import { fakeApi } from '../../../../support/component/api.ts';
import { openApp, signInAs } from '../../../../support/component/open-app.tsx';
import { render } from '../../../../support/component/render.tsx';
import { inDashboard } from '../../support/in-dashboard.tsx';

beforeEach(async () => {
  fakeApi();
  await signInAs();
});

test('shows the article, its sources and four recent articles', async () => {
  await openApp('/dashboard/articles/winter-plant-care');
  const heading = page.getByRole('heading', { level: 1, name: 'Winter Plant Care' });
  await expect.element(heading).toBeVisible();
  expect(document.title).toBe('Winter Plant Care · Sprig');
  const sources = page.getByRole('heading', { level: 2, name: 'Sources' });
  await expect.element(sources).toBeInTheDocument();
  const recent = page.getByRole('complementary', { name: 'Recent Articles' }).element();
  expect([...recent.querySelectorAll('h3')].map(({ textContent }) => textContent)).toEqual([
    'Best Indoor Plants for Air Purification',
    'How to Keep Indoor Plants Thriving',
    'Understanding Plant Nutrition',
    'The Science of Watering Plants Correctly',
  ]);
});

test('groups the nutrients into cards', async () => {
  await openApp('/dashboard/articles/understanding-plant-nutrition');
  await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible();
  // Macronutrients, micronutrients and kinds of fertilizer.
  expect(document.querySelectorAll('article [data-facts]')).toHaveLength(3);
  expect(document.querySelectorAll('article [data-symbol]').length).toBeGreaterThan(10);
});

test.each(['Back to Articles', 'Return to Articles', 'View all articles'])(
  '%s leads to the list',
  async (name) => {
    const app = await openApp('/dashboard/articles/winter-plant-care');
    await page.getByRole('link', { name }).click();
    await expect.poll(() => app.url()).toBe('/dashboard/articles');
  },
);

test('an unknown article shows a message and a link to the list', async () => {
  const app = await openApp('/dashboard/articles/no-such-article');
  await expect
    .element(page.getByRole('alert'))
    .toHaveTextContent(
      'Article not found. The requested article does not exist or has been removed.',
    );
  expect(document.title).toBe('Article not found · Sprig');
  await page.getByRole('link', { name: 'Back to Articles' }).click();
  await expect.poll(() => app.url()).toBe('/dashboard/articles');
});

test.each([
  [2000, 0],
  [2001, 1],
])('a text of %d characters has %d tables of contents', async (length, tables) => {
  const article = {
    id: 7,
    title: 'Repotting',
    slug: 'repotting',
    categoryId: 'plant-care',
    excerpt: 'A larger home.',
    publishedDate: '2026-10-01',
    readTimeMinutes: 3,
    content: '## Light\n\n'.padEnd(length, 'x'),
    sources: ['A book'],
  } as const;
  await render(inDashboard(<ArticlePage article={article} />));
  await expect.element(page.getByRole('heading', { level: 2, name: 'Light' })).toBeVisible();
  const contents = page.getByRole('navigation', { name: 'In this article:' });
  expect(contents.elements()).toHaveLength(tables);
});
