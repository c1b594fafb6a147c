import type { Page } from 'playwright';
import { beforeAll, expect, test } from 'vitest';
import { articles } from '#features/articles/articles.ts';
import { deferred } from '../support/deferred.ts';
import { barriersInBothThemes } from './support/accessibility.ts';
import type { AppServer } from './support/app-server.ts';
import type { Phone } from './support/browser.ts';
import { forgetShell } from './support/forget-shell.ts';
import { closeSidebar, untilInstalledForGood } from './support/garden.ts';
import { setUp } from './support/set-up.ts';

let server: AppServer;
let phone: Phone;
beforeAll(async () => {
  const made = await setUp('/dashboard');
  ({ server, phone } = made);
  return made.close;
});

async function openArticle(page: Page, slug: string): Promise<void> {
  await page.goto(`/dashboard/articles/${slug}`);
  await page.getByRole('link', { name: 'Return to Articles' }).waitFor();
}

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

test('the contents lead to each section, below the header, and mark the one being read', async () => {
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

test('a tall window marks the last section too, and a phone says below the header which one is read', async () => {
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

test('a bar shows how much is read, and on paper the text stands alone', async () => {
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

test('only a text of more than 2000 characters has a table of contents', async () => {
  const { page } = phone;
  await forgetShell(page);
  const contents = page.getByRole('navigation', { name: 'In this article:' });
  for (const [length, tables] of [
    [2000, 0],
    [2001, 1],
  ] as const) {
    await page.context().route(/assets\/winter-plant-care-[^/]*\.js$/, async (route) => {
      const text = '## Light\n\n'.padEnd(length, 'x');
      const file = ['---', 'title: Winter Plant Care', 'sources:', '  - A book', '---', text].join(
        '\n',
      );
      const body = `export default ${JSON.stringify(file)};`;
      await route.fulfill({ contentType: 'text/javascript', body });
    });
    await openArticle(page, 'winter-plant-care');
    await page.getByRole('heading', { level: 2, name: 'Light' }).waitFor();
    expect(await contents.count()).toBe(tables);
    await page.context().unrouteAll();
  }
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
