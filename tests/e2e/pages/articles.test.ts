import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { deferred } from '../../support/deferred.ts';
import type { Phone } from '../support/phone/browser.ts';
import { isFocused } from '../support/phone/focus.ts';
import { forgetShell } from '../support/phone/forget-shell.ts';
import { closeSidebar, untilInstalledForGood } from '../support/screens/garden.ts';
import type { AppServer } from '../support/server/app-server.ts';
import { setUp } from '../support/set-up.ts';

let server: AppServer;
let phone: Phone;
beforeAll(async () => {
  const made = await setUp('/dashboard');
  ({ server, phone } = made);
  return made.close;
});

test('links lead from the list to an article, then to the top of a recent article, then to the list; Back reopens that article', async () => {
  const { page } = phone;
  await page.goto('/dashboard/articles');
  await page.getByRole('link', { name: 'Winter Plant Care' }).click();
  await page.getByRole('heading', { level: 1, name: 'Winter Plant Care' }).waitFor();
  await page.getByText('8 min read', { exact: true }).first().waitFor();
  const recent = page.getByRole('complementary', { name: 'Recent Articles' });
  await recent.getByRole('link', { name: 'Understanding Plant Nutrition' }).click();
  await page.getByRole('heading', { level: 1, name: 'Understanding Plant Nutrition' }).waitFor();
  await page.waitForFunction(() => window.scrollY === 0);
  await page.getByRole('link', { name: 'Back to Articles' }).click();
  await page.waitForURL('**/dashboard/articles');
  await page.goBack();
  await page.getByRole('heading', { level: 1, name: 'Understanding Plant Nutrition' }).waitFor();
});

test('the heading of a new screen has the focus if the link to it is gone', async () => {
  const { page } = phone;
  await page.goto('/dashboard/articles');
  const focused = () => page.evaluate(() => document.activeElement?.textContent);
  await page.getByRole('link', { name: 'Winter Plant Care' }).focus();
  await page.keyboard.press('Enter');
  await expect.poll(focused).toBe('Winter Plant Care');
  await page.getByRole('link', { name: 'Back to Articles' }).focus();
  await page.keyboard.press('Enter');
  await expect.poll(focused).toBe('Plant Articles');
});

test('a link in a menu moves the focus to the heading of its screen, and a link to a section to the heading of the section', async () => {
  const { page } = phone;
  await page.goto('/dashboard/notifications');
  const focused = () => page.evaluate(() => document.activeElement?.textContent);
  await page.getByRole('link', { name: 'Settings → Reminders' }).focus();
  await page.keyboard.press('Enter');
  await expect.poll(focused).toBe('Reminders');
  await page.goto('/dashboard/notifications');
  await page.getByRole('button', { name: 'User menu' }).click();
  await page.getByRole('link', { name: 'Settings', exact: true }).focus();
  await page.keyboard.press('Enter');
  await expect.poll(focused).toBe('Settings');
  // The screen is already open, so the focus returns to the menu's button.
  await page.getByRole('button', { name: 'User menu' }).click();
  await page.getByRole('link', { name: 'Settings', exact: true }).click();
  const menu = page.getByRole('button', { name: 'User menu' });
  await expect.poll(() => isFocused(menu)).toBe(true);
});

test('the table of contents lists all sections; a link scrolls to its section, also after a reload and when opened from another page, and is marked as current', async () => {
  const { page } = phone;
  await page.goto('/dashboard/articles/understanding-plant-nutrition');
  const contents = page.getByRole('navigation', { name: 'In this article:' });
  await contents.waitFor();
  const sections = await page.locator('article h2[id^=section]').allTextContents();
  expect(await contents.getByRole('link').allTextContents()).toEqual(sections);
  expect(sections).toHaveLength(8);
  await contents.getByRole('link', { name: 'Kinds of fertilizer' }).click();
  await page.waitForURL('**#section-kinds-of-fertilizer');
  const top = () =>
    page.evaluate(
      () => document.getElementById('section-kinds-of-fertilizer')?.getBoundingClientRect().top,
    );
  await expect.poll(top).toBeGreaterThan(56);
  await expect.poll(top).toBeLessThan(200);
  await contents.locator('[aria-current]', { hasText: 'Kinds of fertilizer' }).waitFor();
  await page.reload();
  await expect.poll(top).toBeGreaterThan(56);
  await expect.poll(top).toBeLessThan(200);
  const link = page.url();
  await page.goto('/dashboard/articles');
  await page.goto(link);
  await expect.poll(top).toBeGreaterThan(56);
  await expect.poll(top).toBeLessThan(200);
  // This hash cannot be decoded and must cause no error.
  await page.goto('/dashboard/articles/winter-plant-care#%E0');
  await page.getByRole('heading', { level: 1, name: 'Winter Plant Care' }).waitFor();
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

test('an article never opened before is available offline with its picture', async () => {
  await untilInstalledForGood(phone.page);
  await server.kill();
  onTestFinished(() => server.start());
  await phone.restart();
  const { page } = phone;
  await page.goto('/dashboard/articles/best-indoor-plants-air-purification');
  await closeSidebar(page);
  await page.getByRole('heading', { level: 2, name: 'What the NASA study measured' }).waitFor();
  const picture = page.locator('article img');
  await expect
    .poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(0);
  expect(phone.problems).toEqual([]);
});
