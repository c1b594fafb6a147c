import { beforeAll, expect, test } from 'vitest';
import { articles } from '#client/features/articles/list/articles.ts';
import type { Phone } from './support/browser.ts';
import { openArticle } from './support/open-article.ts';
import { setUp } from './support/set-up.ts';

let phone: Phone;
beforeAll(async () => {
  const made = await setUp('/dashboard');
  ({ phone } = made);
  return made.close;
});

test('the table of contents leads to each section and marks the one being read', async () => {
  const { page } = phone;
  await openArticle(page, 'understanding-plant-nutrition');
  const contents = page.getByRole('navigation', { name: 'In this article:' });
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
  // What is no text names no section.
  await page.goto('/dashboard/articles/winter-plant-care#%E0');
  await page.getByRole('heading', { level: 1, name: 'Winter Plant Care' }).waitFor();
});

test('a tall window marks the last section, and a phone shows the current one below the header', async () => {
  const { page } = phone;
  await openArticle(page, 'understanding-plant-nutrition');
  const contents = page.getByRole('navigation', { name: 'In this article:' });
  const last = contents.getByRole('link').last();
  const strip = page.locator('[class*=progress] > p');
  expect(await strip.count()).toBe(0);
  await contents.getByRole('link', { name: 'Kinds of fertilizer' }).click();
  await strip.filter({ hasText: 'Kinds of fertilizer' }).waitFor();
  await expect.poll(async () => (await strip.boundingBox())?.y).toBe(56);
  const heading = page.getByRole('heading', { name: 'Kinds of fertilizer' });
  const bottom = await strip.evaluate((element) => element.getBoundingClientRect().bottom);
  await expect.poll(async () => (await heading.boundingBox())?.y).toBeGreaterThan(bottom);

  await page.setViewportSize({ width: 1440, height: 1300 });
  await last.click();
  await expect.poll(() => last.getAttribute('aria-current')).toBe('location');
  expect(await contents.locator('[aria-current]').count()).toBe(1);
  expect(await strip.isVisible()).toBe(false);
  await page.setViewportSize({ width: 390, height: 844 });
});

test('a bar shows how much is read, and print shows only the text', async () => {
  const { page } = phone;
  await openArticle(page, 'winter-plant-care');
  const share = () =>
    page.evaluate(() => {
      const bar = document.querySelector('[class*=progress] > div');
      return Number.parseFloat(bar ? getComputedStyle(bar).scale : 'none');
    });
  expect(await share()).toBe(0);
  // Whoever scrolls before the page has found its own place scrolls again.
  const shareAt = (part: number) => async () => {
    await page.evaluate(
      (shown) => window.scrollTo(0, document.documentElement.scrollHeight * shown),
      part,
    );
    return share();
  };
  await expect.poll(shareAt(0.5)).toBeGreaterThan(0.3);
  expect(await share()).toBeLessThan(0.7);
  await expect.poll(shareAt(1)).toBe(1);

  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await page.getByRole('heading', { level: 1, name: 'Winter Plant Care' }).waitFor();
  await page.getByRole('heading', { name: 'Sources' }).waitFor();
  for (const beside of [
    page.getByRole('navigation', { name: 'In this article:' }),
    page.getByRole('complementary', { name: 'Recent Articles' }),
    page.getByRole('button', { name: 'Toggle sidebar' }),
    page.getByRole('link', { name: 'Back to Articles' }),
  ]) {
    expect(await beside.isVisible()).toBe(false);
  }
  // Dark on white, whatever theme the screen has.
  const inks = await page
    .locator('article :is(h1, h2, p)')
    .evaluateAll((all) => all.map((element) => getComputedStyle(element).color));
  const levels = inks.flatMap((ink) => ink.match(/\d+/g)?.map(Number) ?? []);
  expect(levels.length).toBeGreaterThan(30);
  expect(Math.max(...levels)).toBeLessThan(128);
  await page.emulateMedia({ media: 'screen', colorScheme: 'light' });
});

test('no article is wider than the narrowest phone or has lines too long to read', async () => {
  const { page } = phone;
  for (const width of [320, 768, 1440]) {
    await page.setViewportSize({ width, height: 800 });
    for (const { slug } of articles) {
      await openArticle(page, slug);
      const beyond = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(beyond, `${slug} at ${width}`).toBeLessThanOrEqual(0);
    }
    const characters = await page.evaluate(() => {
      const paragraph = document.querySelector('article p + p');
      if (!paragraph) return 0;
      const probe = document.createElement('span');
      probe.textContent = '0';
      paragraph.append(probe);
      const zero = probe.getBoundingClientRect().width;
      probe.remove();
      return paragraph.getBoundingClientRect().width / zero;
    });
    expect(characters).toBeGreaterThan(20);
    expect(characters).toBeLessThanOrEqual(68);
  }
  await page.setViewportSize({ width: 390, height: 844 });
});
