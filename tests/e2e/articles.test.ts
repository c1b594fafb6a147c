import { beforeAll, expect, test } from 'vitest';
import { articles } from '#client/features/articles/list/articles.ts';
import { deferred } from '../support/deferred.ts';
import { barriersInBothThemes } from './support/accessibility.ts';
import type { AppServer } from './support/app-server.ts';
import type { Phone } from './support/browser.ts';
import { forgetShell } from './support/forget-shell.ts';
import { closeSidebar, untilInstalledForGood } from './support/garden.ts';
import { openArticle } from './support/open-article.ts';
import { setUp } from './support/set-up.ts';

let server: AppServer;
let phone: Phone;
beforeAll(async () => {
  const made = await setUp('/dashboard');
  ({ server, phone } = made);
  return made.close;
});

test('the list shows every article in its category, and the search holds its text and filters nothing', async () => {
  const { page } = phone;
  await page.goto('/dashboard/articles');
  await page.getByRole('heading', { level: 1, name: 'Plant Articles' }).waitFor();
  expect(await page.title()).toBe('Plant Articles · Sprig');
  const search = page.getByPlaceholder('Search articles...');
  await search.fill('no such words');
  expect(await search.inputValue()).toBe('no such words');
  const shown = await page.getByRole('main').getByRole('region').all();
  const cards = await Promise.all(
    shown.map(async (card) => [
      (await card.getByRole('heading', { level: 2 }).textContent())?.trim(),
      await card.getByRole('heading', { level: 3 }).allTextContents(),
      await card.getByText(/min read$/).allTextContents(),
    ]),
  );
  const excerpts = await page.locator('main h3 + p').allTextContents();
  expect(excerpts.sort()).toEqual(articles.map(({ excerpt }) => excerpt).sort());
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
  const pictures = await page.locator('main img').evaluateAll((all) =>
    all.map((image) => ({
      src: image.getAttribute('src'),
      size: `${image.getAttribute('width')}x${image.getAttribute('height')}`,
    })),
  );
  expect(new Set(pictures.map(({ src }) => src)).size).toBe(6);
  expect(new Set(pictures.map(({ size }) => size))).toEqual(new Set(['1260x750']));
});

test('an article is opened from the list, read, and left for another and for the list', async () => {
  const { page } = phone;
  await page.goto('/dashboard/articles');
  await page.getByRole('link', { name: 'Winter Plant Care' }).click();
  await page.getByRole('heading', { level: 1, name: 'Winter Plant Care' }).waitFor();
  expect(await page.title()).toBe('Winter Plant Care · Sprig');
  await page.getByText('8 min read', { exact: true }).first().waitFor();
  await page.getByText('Less light, dry air and cold glass').first().waitFor();
  const recent = page.getByRole('complementary', { name: 'Recent Articles' });
  expect(await recent.getByRole('heading', { level: 3 }).allTextContents()).toEqual([
    'Best Indoor Plants for Air Purification',
    'How to Keep Indoor Plants Thriving',
    'Understanding Plant Nutrition',
    'The Science of Watering Plants Correctly',
  ]);
  expect(await recent.getByText(/^\d min read$/).allTextContents()).toHaveLength(4);
  for (const { title, excerpt } of articles) {
    const isRecent = (await recent.getByRole('link', { name: title }).count()) === 1;
    expect(await recent.getByText(excerpt).count()).toBe(isRecent ? 1 : 0);
  }
  await recent.getByRole('link', { name: 'Understanding Plant Nutrition' }).click();
  await page.getByRole('heading', { level: 1, name: 'Understanding Plant Nutrition' }).waitFor();
  await page.waitForFunction(() => window.scrollY === 0);
  // Macronutrients, micronutrients and kinds of fertilizer.
  expect(await page.locator('article [data-facts]').count()).toBe(3);
  expect(await page.locator('article [data-symbol]').count()).toBeGreaterThan(10);
  await page.getByRole('link', { name: 'Back to Articles' }).click();
  await page.waitForURL('**/dashboard/articles');
  await page.goBack();
  await page.getByRole('link', { name: 'Return to Articles' }).click();
  await page.waitForURL('**/dashboard/articles');
  await page.goBack();
  await page.getByRole('link', { name: 'View all articles' }).click();
  await page.waitForURL('**/dashboard/articles');
});

test('an address without an article says so and leads back', async () => {
  const { page } = phone;
  await page.goto('/dashboard/articles/no-such-article');
  const said = 'Article not found. The requested article does not exist or has been removed.';
  await page.getByText(said, { exact: true }).waitFor();
  expect(await page.title()).toBe('Article not found · Sprig');
  await page.getByRole('link', { name: 'Back to Articles' }).click();
  await page.getByRole('heading', { level: 1, name: 'Plant Articles' }).waitFor();
});

test('a slow text says that it is loading', async () => {
  const { page } = phone;
  await forgetShell(page);
  const text = deferred();
  await page.context().route(/assets\/winter-plant-care-[^/]*\.js$/, async (route) => {
    await text.promise;
    await route.continue();
  });
  await page.goto('/dashboard/articles');
  await page.getByRole('link', { name: 'Winter Plant Care' }).click();
  await page.getByText('Loading article...').waitFor();
  text.resolve();
  await page.getByRole('heading', { level: 1, name: 'Winter Plant Care' }).waitFor();
  await page.getByRole('navigation', { name: 'In this article:' }).waitFor();
  await page.context().unrouteAll();
});

test.each(articles)('$slug stands in nobody’s way, in both themes', async ({ slug }) => {
  const { page } = phone;
  await openArticle(page, slug);
  expect(await barriersInBothThemes(page)).toEqual([]);
});

test('the list and a missing article stand in nobody’s way', async () => {
  const { page } = phone;
  await page.goto('/dashboard/articles');
  await page.getByRole('heading', { level: 1 }).waitFor();
  expect(await barriersInBothThemes(page)).toEqual([]);
  await page.goto('/dashboard/articles/no-such-article');
  await page.getByRole('alert').waitFor();
  expect(await barriersInBothThemes(page)).toEqual([]);
});

test('an article never opened before is there without a network, picture and all', async () => {
  await untilInstalledForGood(phone.page);
  await server.kill();
  await phone.restart();
  const { page } = phone;
  await openArticle(page, 'best-indoor-plants-air-purification');
  await closeSidebar(page);
  await page.getByRole('heading', { level: 2, name: 'What the NASA study measured' }).waitFor();
  const picture = page.locator('article img');
  await expect
    .poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(0);
  expect(phone.problems).toEqual([]);
});
