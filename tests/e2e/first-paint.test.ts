import { type Browser, type BrowserContext, chromium, type Page } from 'playwright';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { deferred } from '../support/deferred.ts';
import { type AppServer, openAppServer } from './support/app-server.ts';
import { plantCard, signIn } from './support/garden.ts';

let server: AppServer;
let browser: Browser;
let context: BrowserContext;
let page: Page;
beforeAll(async () => {
  server = await openAppServer();
  await server.start();
  browser = await chromium.launch({ executablePath: inject('chromium'), args: ['--no-sandbox'] });
  // The app's code comes from the network here, where a test can hold it back.
  context = await browser.newContext({
    baseURL: server.url,
    viewport: { width: 390, height: 844 },
    serviceWorkers: 'block',
  });
  await context.addInitScript(() => {
    const attach = Element.prototype.attachShadow;
    Element.prototype.attachShadow = function open(init) {
      return attach.call(this, { ...init, mode: 'open' });
    };
    const shifts: LayoutShift[] = [];
    Object.assign(window, { shifts, takenAt: Number.NaN });
    new PerformanceObserver((list) => {
      shifts.push(...(list.getEntries() as LayoutShift[]));
    }).observe({ type: 'layout-shift', buffered: true });
    new MutationObserver((changes) => {
      const gone = changes.flatMap(({ removedNodes }) => [...removedNodes]);
      if (gone.some((node) => node instanceof Element && node.id === 'first-paint')) {
        Object.assign(window, { takenAt: performance.now() });
      }
    }).observe(document, { childList: true, subtree: true });
  });
  page = await context.newPage();
  await signIn(page);
  await page.reload();
  await untilKept();
});
afterAll(async () => {
  await browser.close();
  await server.close();
});

interface LayoutShift extends PerformanceEntry {
  value: number;
}

const kept = () => page.evaluate(() => localStorage.getItem('sprig.first-paint'));
const untilKept = () =>
  page.waitForFunction(() => localStorage.getItem('sprig.first-paint')?.includes('Monty'));
const keep = (record: object) =>
  page.evaluate((text) => localStorage.setItem('sprig.first-paint', text), JSON.stringify(record));
const picture = () => page.locator('#first-paint');

/** What can be seen of the kept picture. */
function shownText(): Promise<string> {
  return picture().evaluate((host) =>
    [...(host.shadowRoot?.querySelectorAll<HTMLElement>('*') ?? [])]
      .filter(
        (part) =>
          part.childElementCount === 0 && part.checkVisibility({ visibilityProperty: true }),
      )
      .map((part) => part.textContent)
      .join(' '),
  );
}

/** Loads a screen while the app's own code is held back, until the answer is called. */
async function loadWithoutApp(address = '/dashboard'): Promise<() => Promise<void>> {
  const held = deferred();
  await context.route(/assets\/index-.*\.js/, async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.goto(address, { waitUntil: 'commit' });
  return async () => {
    held.resolve();
    await page.locator('main').waitFor();
    await context.unrouteAll({ behavior: 'wait' });
  };
}

test('the plants stand before any of the app’s code has run, and nothing that time has changed', async () => {
  const release = await loadWithoutApp();
  await picture().getByText('Swiss Cheese Plant').waitFor();
  const seen = await shownText();
  expect(seen).toContain('Dashboard');
  expect(seen).not.toMatch(/water now!|tomorrow|in \d+ days|all saved|waiting/i);
  expect((await kept())?.length).toBeLessThan(60_000);
  await release();
  await untilKept();
});

test('the app takes its place without a jump', async () => {
  await page.goto('/dashboard');
  await plantCard(page, 'Monty').waitFor();
  await picture().waitFor({ state: 'detached' });
  await page.waitForLoadState('networkidle');
  expect(await movedSinceTaken()).toEqual([]);
});

/** How far anything has moved since the picture went. */
function movedSinceTaken(): Promise<number[]> {
  return page.evaluate(() => {
    const { shifts, takenAt } = window as unknown as { shifts: LayoutShift[]; takenAt: number };
    return shifts.filter(({ startTime }) => !(startTime < takenAt)).map(({ value }) => value);
  });
}

/** As when the person turns to something else, nothing being on its way into the screen. */
async function hide(): Promise<void> {
  await expect.poll(() => page.locator('main [data-loading]').count()).toBe(0);
  await page.evaluate(() => {
    const away = { configurable: true, value: 'hidden' };
    Object.defineProperty(document, 'visibilityState', away);
    document.dispatchEvent(new Event('visibilitychange'));
    Reflect.deleteProperty(document, 'visibilityState');
  });
}

test('a search or a filter that was left standing is not what the next start shows', async () => {
  const search = page.getByRole('searchbox', { name: 'Search plants' });
  const filter = page.getByRole('combobox', { name: 'Filter plants' });
  await page.evaluate(() => localStorage.removeItem('sprig.first-paint'));
  await search.fill('zed');
  await expect.poll(() => page.getByRole('article').count()).toBe(1);
  await hide();
  expect(await kept()).toBeNull();
  await search.fill('');
  await filter.selectOption('Outdoor');
  await page.getByRole('heading', { name: /^Outdoor/ }).waitFor();
  await hide();
  expect(await kept()).toBeNull();
  await filter.selectOption('All');
  await page.getByRole('heading', { name: /^All Plants/ }).waitFor();
  await hide();
  expect(await kept()).toContain('Monty');
});

test.each([
  ['another build', { app: '/assets/index-older.js' }],
  ['another session', { token: 'a.b.c' }],
  ['another address', { address: '/dashboard/plants' }],
])('what was kept of %s is not shown', async (_, change) => {
  const record = JSON.parse((await kept()) ?? '{}');
  // A page keeps a new one when it goes: it is changed where nothing of the app runs.
  await page.goto('/manifest.webmanifest');
  await keep({ ...record, ...change });
  const release = await loadWithoutApp();
  await page.locator('script[type=module]').waitFor({ state: 'attached' });
  expect(await picture().count()).toBe(0);
  await release();
  await untilKept();
});

test('who is signed in sees nothing of the form on the way to the plants', async () => {
  const release = await loadWithoutApp('/signin');
  await page.locator('script[type=module]').waitFor({ state: 'attached' });
  expect(await picture().count()).toBe(0);
  await release();
  await page.waitForURL('**/dashboard');
});

test('signing out leaves nothing of it', async () => {
  await page.reload();
  await untilKept();
  await page.getByRole('button', { name: 'User menu' }).click();
  await page.getByRole('button', { name: 'Sign Out' }).click();
  await page.waitForURL('**/signin*');
  expect(await kept()).toBeNull();
});

test('a session that the server ended leaves nothing of it', async () => {
  await signIn(page);
  await page.reload();
  await untilKept();
  await server.query('DELETE FROM sessions');
  await page.reload();
  await page.waitForURL('**/signin*');
  expect(await kept()).toBeNull();
});

test('the sign-in form stands before any of the app’s code has run, and looks the same after', async () => {
  const release = await loadWithoutApp('/signin');
  await page.locator('script[type=module]').waitFor({ state: 'attached' });
  const before = await page.screenshot();
  expect(await page.getByRole('textbox').count()).toBe(0);
  await release();
  await picture().waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Sign In' }).waitFor();
  expect(before.equals(await page.screenshot())).toBe(true);
  expect(await movedSinceTaken()).toEqual([]);
});

test('a sign-in with news of a mailed link begins without a form that would make room for it', async () => {
  const release = await loadWithoutApp('/signin?verified=1');
  await page.locator('script[type=module]').waitFor({ state: 'attached' });
  expect(await picture().count()).toBe(0);
  await release();
  await page.getByText('Your email is verified.').waitFor();
});
