import { gzipSync } from 'node:zlib';
import type { Page, Response } from 'playwright';
import { beforeAll, expect, test } from 'vitest';
import { articles } from '#client/features/articles/list/articles.ts';
import type { Phone } from './support/browser.ts';
import { forgetShell } from './support/forget-shell.ts';
import { setUp } from './support/set-up.ts';

let phone: Phone;
beforeAll(async () => {
  const made = await setUp('/dashboard');
  ({ phone } = made);
  return made.close;
});

/** The scripts of a cold visit, by address, with their gzipped sizes. */
async function scriptsOf(page: Page, path: string, shown: string): Promise<Map<string, number>> {
  await forgetShell(page);
  const scripts: Promise<[string, number]>[] = [];
  const hear = (response: Response) => {
    const request = response.request();
    if (request.resourceType() !== 'script' || /\/(sw|worker)/.test(request.url())) return;
    const size = response.body().then((body) => gzipSync(body, { level: 9 }).length);
    scripts.push(size.then((bytes) => [request.url(), bytes]));
  };
  page.on('response', hear);
  await page.goto(path);
  await page.getByText(shown).first().waitFor();
  await page.waitForLoadState('networkidle');
  page.off('response', hear);
  return new Map(await Promise.all(scripts));
}

/** What a visit loads that the other does not, in bytes. */
function beyond(visit: Map<string, number>, other: Map<string, number>): number {
  return [...visit].reduce((sum, [url, bytes]) => sum + (other.has(url) ? 0 : bytes), 0);
}

test('an article adds little to the bytes of the dashboard, and the list almost nothing', async () => {
  const { page } = phone;
  const slug = 'understanding-plant-nutrition';
  const dashboard = await scriptsOf(page, '/dashboard', 'Total Plants');
  const list = await scriptsOf(page, '/dashboard/articles', 'Winter Plant Care');
  const article = await scriptsOf(page, `/dashboard/articles/${slug}`, 'Return to Articles');
  const texts = new Map([...article].filter(([url]) => isText(url)));
  const text = beyond(texts, list);
  const code = beyond(article, dashboard) - text;
  console.log(
    `Scripts beyond the dashboard, gzip: list ${beyond(list, dashboard)} B, article ${code} B and its text ${text} B`,
  );
  expect(beyond(list, dashboard)).toBeGreaterThan(500);
  expect(beyond(list, dashboard)).toBeLessThanOrEqual(6_000);
  expect(code).toBeGreaterThan(20_000);
  expect(code).toBeLessThanOrEqual(34_600);
  // Of the six texts, which are words and no code, only the one that is read.
  expect([...texts.keys()].map((url) => url.includes(slug))).toEqual([true]);
  expect(text).toBeLessThanOrEqual(5_500);
  expect([...list.keys(), ...dashboard.keys()].filter(isText)).toEqual([]);
});

function isText(url: string): boolean {
  return articles.some((article) => url.includes(`/${article.slug}-`));
}
