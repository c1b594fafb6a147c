import { gzipSync } from 'node:zlib';
import type { Response } from 'playwright';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { articles } from '#client/features/articles/list/articles.ts';
import { forgetAll, openPhone, type Phone } from '../support/phone/browser.ts';
import { withoutLive } from '../support/phone/sync.ts';
import { signIn } from '../support/screens/garden.ts';
import { openAppServer } from '../support/server/app-server.ts';

let phone: Phone;
beforeAll(async () => {
  const server = await openAppServer();
  await server.start();
  // Without a service worker every visit is a cold one.
  phone = await openPhone(server.url, { withoutServiceWorker: true });
  return async () => {
    await phone.close();
    await server.close();
  };
});
beforeEach(() => withoutLive(phone));

/**
 * The scripts that the page loads while `visit` runs and until the network is idle, by URL, with their gzipped sizes in
 * bytes. Scripts of workers are left out.
 */
async function scriptsOf(visit: () => Promise<void>): Promise<Map<string, number>> {
  const scripts: Promise<[string, number]>[] = [];
  const { page } = phone;
  const addScript = (response: Response) => {
    const request = response.request();
    if (request.resourceType() !== 'script' || /\/(sw|worker)/.test(request.url())) return;
    const size = response.body().then((body) => gzipSync(body, { level: 9 }).length);
    scripts.push(size.then((bytes) => [request.url(), bytes]));
  };
  page.on('response', addScript);
  await visit();
  await page.waitForLoadState('networkidle');
  page.off('response', addScript);
  return new Map(await Promise.all(scripts));
}

/** The scripts of a first visit to a path that shows the given text, including those loaded after the first paint. */
async function scriptsOfVisit(path: string, shown: string): Promise<Map<string, number>> {
  const { page } = phone;
  // Aborts the requests of the previous page, because a response could arrive during the visit.
  await page.goto('about:blank');
  return scriptsOf(async () => {
    // The background work loads its scripts later than the page; on a busy machine much later.
    const hasStarted = path !== '/landing' && page.waitForResponse(/\/app-update-/);
    await page.goto(path);
    await page.getByText(shown).first().waitFor();
    await hasStarted;
  });
}

/** The size in bytes of the scripts that one visit loads and the other does not. */
function bytesBeyond(visit: Map<string, number>, other = new Map<string, number>()): number {
  return [...visit].reduce((sum, [url, bytes]) => sum + (other.has(url) ? 0 : bytes), 0);
}

test('the scripts of a cold visit stay within their budgets', async () => {
  await forgetAll(phone);
  await withoutLive(phone);
  await phone.page.goto('/healthz');
  const landing = bytesBeyond(await scriptsOfVisit('/landing', 'Get Started'));
  const signInPage = bytesBeyond(await scriptsOfVisit('/signin', 'Welcome back'));
  await signIn(phone.page);
  const dashboard = bytesBeyond(await scriptsOfVisit('/dashboard', 'Total Plants'));
  console.log(
    `Scripts, gzip: landing ${landing} B, sign-in ${signInPage} B, dashboard ${dashboard} B`,
  );
  expect(landing).toBeGreaterThan(1_000);
  expect(landing).toBeLessThanOrEqual(6_000);
  expect(signInPage).toBeGreaterThan(50_000);
  expect(signInPage).toBeLessThanOrEqual(125_500);
  expect(dashboard).toBeGreaterThan(signInPage);
  expect(dashboard).toBeLessThanOrEqual(180_600);
});

test('the plant dialog with its charts adds at most 50 kB of scripts to the dashboard', async () => {
  const { page } = phone;
  await signIn(page);
  await page.waitForLoadState('networkidle');
  const scripts = await scriptsOf(async () => {
    await page.getByRole('link', { name: 'Details of Monty' }).click();
    await page.getByRole('tab', { name: 'Sensor Data' }).click();
    await page.getByRole('slider').first().waitFor();
  });
  const dialog = bytesBeyond(scripts);
  console.log(`Scripts, gzip: plant dialog ${dialog} B`);
  expect(dialog).toBeGreaterThan(30_000);
  expect(dialog).toBeLessThanOrEqual(50_000);
});

test('the scripts of the article list and of an article stay within their budgets, and only the text of the opened article is loaded', async () => {
  const slug = 'understanding-plant-nutrition';
  await signIn(phone.page);
  const dashboard = await scriptsOfVisit('/dashboard', 'Total Plants');
  const list = await scriptsOfVisit('/dashboard/articles', 'Winter Plant Care');
  const article = await scriptsOfVisit(`/dashboard/articles/${slug}`, 'Return to Articles');
  const texts = new Map([...article].filter(([url]) => isText(url)));
  const text = bytesBeyond(texts, list);
  const code = bytesBeyond(article, dashboard) - text;
  const listBytes = bytesBeyond(list, dashboard);
  console.log(
    `Scripts beyond the dashboard, gzip: list ${listBytes} B, article ${code} B and its text ${text} B`,
  );
  expect(listBytes).toBeGreaterThan(500);
  expect(listBytes).toBeLessThanOrEqual(6_000);
  expect(code).toBeGreaterThan(20_000);
  expect(code).toBeLessThanOrEqual(34_600);
  // Only the text of the opened article is loaded, not those of the five others.
  expect([...texts.keys()].map((url) => url.includes(slug))).toEqual([true]);
  expect(text).toBeLessThanOrEqual(5_500);
  expect([...list.keys(), ...dashboard.keys()].filter(isText)).toEqual([]);
});

function isText(url: string): boolean {
  return articles.some((article) => url.includes(`/${article.slug}-`));
}
