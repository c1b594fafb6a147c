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

test('the list, an article, its recent articles and Back lead to each other', async () => {
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

test('a slow article shows that it is loading', async () => {
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

test.each(articles)('$slug is accessible in both themes', async ({ slug }) => {
  const { page } = phone;
  await openArticle(page, slug);
  expect(await barriersInBothThemes(page)).toEqual([]);
});

test('the list and a missing article are accessible', async () => {
  const { page } = phone;
  await page.goto('/dashboard/articles');
  await page.getByRole('heading', { level: 1 }).waitFor();
  expect(await barriersInBothThemes(page)).toEqual([]);
  await page.goto('/dashboard/articles/no-such-article');
  await page.getByRole('alert').waitFor();
  expect(await barriersInBothThemes(page)).toEqual([]);
});

test('an article never opened before is available offline with its picture', async () => {
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
