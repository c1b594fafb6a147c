import fs from 'node:fs';
import path from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import type { Page } from 'playwright';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { projectRoot } from '../../../src/build/build-if-needed.mjs';
import { deferred } from '../../support/deferred.ts';
import { openPhone, type Phone } from '../support/phone/browser.ts';
import { untilSynced } from '../support/phone/sync.ts';
import { lastUpdatedLine, plantCard, signIn, untilInstalled } from '../support/screens/garden.ts';
import type { AppServer } from '../support/server/app-server.ts';
import { openPortal } from '../support/server/captive-portal.ts';
import { setUp } from '../support/set-up.ts';

const soon = { timeout: 20_000 };
const clientDir = path.join(projectRoot, 'dist/client');
const isParts = /\/(assets|icons)\//;

let server: AppServer;
let phone: Phone;
beforeAll(async () => {
  const made = await setUp('/dashboard');
  ({ server, phone } = made);
  return made.close;
});

/** A phone on which the app is not installed. */
async function openNewPhone(): Promise<Phone> {
  const made = await openPhone(server.url);
  onTestFinished(made.close);
  return made;
}

async function keptFiles(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const found: string[] = [];
    for (const name of await caches.keys()) {
      const requests = await (await caches.open(name)).keys();
      found.push(...requests.map(({ url }) => new URL(url).pathname));
    }
    return found.sort();
  });
}

test('after a lost network on a first visit, a screen that could not be shown appears and the installation is completed once the network is back', async () => {
  const { page, context } = await openNewPhone();
  const killed = deferred();
  let asked = 0;
  // Holds the installation after some files, so that it cannot be complete before the server is killed.
  await context.route(isParts, async (route) => {
    if (route.request().serviceWorker() && ++asked > 20) await killed.promise;
    await route.continue();
  });
  await page.goto('/signin');
  await expect.poll(async () => (await keptFiles(page)).length, soon).toBeGreaterThan(10);
  await server.kill();
  killed.resolve();
  await context.unrouteAll();
  const files = await keptFiles(page);
  expect(files.length).toBeLessThan(100);
  const browser = await context.newCDPSession(page);
  await browser.send('Network.clearBrowserCache');
  await page.getByRole('link', { name: 'Sign up' }).click();
  await page.getByRole('heading', { name: 'This screen could not be shown' }).waitFor();

  await server.start();
  await page.evaluate(() => window.dispatchEvent(new Event('online')));
  await page.getByRole('button', { name: 'Create Account' }).waitFor();
  await untilInstalled(page);
  expect(await keptFiles(page)).toEqual(expect.arrayContaining(files));
});

test('responses of a captive portal during the first installation are not cached, and the installation continues later', async () => {
  const { page, context, problems } = await openNewPhone();
  let welcomed = 0;
  // The page itself loads from the server; only requests of the service worker reach the portal.
  await context.route(isParts, async (route) => {
    if (!route.request().serviceWorker()) return route.continue();
    welcomed += 1;
    const body = '<!doctype html><title>Welcome</title><h1>Buy some network</h1>';
    await route.fulfill({ status: 200, contentType: 'text/html; charset=utf-8', body });
  });
  await page.goto('/signin');
  await expect.poll(() => welcomed, soon).toBeGreaterThan(0);
  const registration = () =>
    page.evaluate(async () => {
      const found = await navigator.serviceWorker.getRegistration();
      return Boolean(found?.installing ?? found?.waiting ?? found?.active);
    });
  await expect.poll(registration, soon).toBe(false);
  const foreign = await page.evaluate(async () => {
    const found: string[] = [];
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const request of await cache.keys()) {
        const text = await (await cache.match(request))?.text();
        if (text?.includes('Buy some network')) found.push(request.url);
      }
    }
    return found;
  });
  expect(foreign).toEqual([]);

  await context.unrouteAll();
  await page.evaluate(() => window.dispatchEvent(new Event('online')));
  await untilInstalled(page);
  expect((await keptFiles(page)).length).toBeGreaterThan(50);
  expect(problems).toEqual([]);
});

test('pages of a captive portal that responds to every request are not cached', async () => {
  const { page } = phone;
  await signIn(page);
  await untilInstalled(page);
  // The text that `lastUpdatedLine` matches contains the time of the last update, so a pull must have completed.
  await untilSynced(page);
  await server.kill();
  const portal = await openPortal(server.url);
  // Simulates a return to the tab, after which the app checks for an update.
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  const article = await page.goto('/dashboard/articles/winter-plant-care');
  expect(article?.fromServiceWorker()).toBe(true);
  await page.getByRole('heading', { level: 1, name: 'Winter Plant Care' }).waitFor();
  await page.goto('/dashboard');
  await plantCard(page, 'Monty').waitFor();
  await page.getByText(lastUpdatedLine).waitFor();
  await portal.close();
  await server.start();
  await page.evaluate(() => window.dispatchEvent(new Event('online')));
  expect((await cachedPages(page)).sort()).toEqual([
    '/index.html',
    '/landing.html',
    '/signin.html',
  ]);
  await page.getByText(lastUpdatedLine).waitFor({ state: 'detached' });
});

/** The paths of all cached HTML pages. */
async function cachedPages(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const found: string[] = [];
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const request of await cache.keys()) {
        const kept = await cache.match(request);
        const isHtml = kept?.headers.get('content-type')?.startsWith('text/html');
        if (isHtml) found.push(new URL(request.url).pathname);
      }
    }
    return found;
  });
}

test('the caches contain the whole app and no API response, in at most 700 kB', async () => {
  const { page } = phone;
  await signIn(page);
  await page.goto('/dashboard/schedule');
  await page.getByRole('article').first().waitFor();
  await untilInstalled(page);
  const built = fs
    .readdirSync(clientDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `/${path.relative(clientDir, path.join(entry.parentPath, entry.name))}`);
  const files = await keptFiles(page);
  const notKept =
    /^\/(sw|sw-off)\.js$|^\/robots\.txt$|^\/screenshots\/|^\/icons\/(icon|shortcut).*\.svg$/;
  expect(files).toEqual(built.filter((file) => !notKept.test(file)).sort());
  const sizes = files.map(
    (file) => brotliCompressSync(fs.readFileSync(path.join(clientDir, file))).length,
  );
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  console.log(`Kept on the device, brotli: ${files.length} files, ${bytes} B`);
  expect(bytes).toBeGreaterThan(300_000);
  expect(bytes).toBeLessThanOrEqual(700_000);
});

test('API requests bypass the service worker', async () => {
  const { page } = phone;
  await page.goto('/signin');
  await untilInstalled(page);
  // The browser records the timing of a request shortly after its response, so wait for it.
  const sourceOf = (address: string) =>
    page.evaluate(async (asked) => {
      const noted = new Promise<PerformanceEntry | undefined>((resolve) => {
        const observer = new PerformanceObserver((list) => {
          const found = list.getEntriesByName(new URL(asked, window.location.href).href);
          if (found.length > 0) resolve(found[0]);
        });
        observer.observe({ type: 'resource' });
      });
      await fetch(asked);
      return (await noted)?.toJSON().workerFinalSourceType;
    }, address);
  expect(await sourceOf('/api/plants')).toBe('network');
  expect(await sourceOf('/auth/me')).toBe('network');
  expect(await sourceOf('/index.html')).not.toBe('network');
});

test('pages of the API, the health check and URLs with a file extension come from the server', async () => {
  const { page } = phone;
  await page.goto('/signin');
  await untilInstalled(page);
  const screen = await page.goto('/signup');
  expect(screen?.fromServiceWorker()).toBe(true);
  for (const path of ['/api/nothing', '/auth/nothing', '/healthz', '/nothing.png']) {
    const response = await page.goto(path);
    expect([path, response?.fromServiceWorker()]).toEqual([path, false]);
  }
});

test('offline, a signed-in person can open screens, dialogs and articles by URL from a cold start', async () => {
  const [monty] = await server.query<{ id: string }>(
    `SELECT id FROM plants WHERE nickname = 'Monty'`,
  );
  await signIn(phone.page);
  await untilInstalled(phone.page);
  await server.kill();
  onTestFinished(() => server.start());
  await phone.restart();
  const addresses: [address: string, heading: string][] = [
    [`/dashboard/plants?plant=${monty?.id}&tab=sensors`, 'Last 24 Hours'],
    [`/dashboard?plant=${monty?.id}&tab=care`, 'Monty'],
    ['/dashboard?form=new', 'Add New Plant'],
    ['/dashboard/articles', 'Plant Articles'],
    ['/dashboard/articles/understanding-plant-nutrition', 'Understanding Plant Nutrition'],
    ['/dashboard/articles/no-such-article', 'Article not found.'],
    ['/dashboard/schedule', 'Watering Schedule'],
    ['/dashboard/plants', 'Monty'],
    ['/dashboard/analytics', 'AI Analytics'],
    ['/dashboard/notifications', 'Notifications Coming Soon'],
    ['/reset-password?token=from-a-mail', 'Dashboard'],
    ['/no/such/page', 'Dashboard'],
  ];
  for (const [address, heading] of addresses) {
    await phone.page.goto(address);
    await phone.page.getByRole('heading', { name: heading }).first().waitFor();
  }
  expect(phone.problems).toEqual([]);
});

test('offline and signed out, links from emails open, and the dashboard asks to sign in', async () => {
  const { page } = phone;
  await page.goto('/signin');
  await untilInstalled(page);
  await server.kill();
  onTestFinished(() => server.start());
  await page.evaluate(() => {
    window.localStorage.clear();
    window.sessionStorage.clear();
  });
  await page.goto('/reset-password?token=from-a-mail');
  await page.getByLabel('New password', { exact: true }).waitFor();
  await page.goto('/signin?verified=1');
  await page.getByText('Your email is verified. You can sign in now.').waitFor();
  for (const address of ['/dashboard/articles/winter-plant-care', '/dashboard?form=new']) {
    await page.goto(address);
    await page.waitForURL('**/signin?from=*');
    await page.getByRole('button', { name: 'Sign In' }).waitFor();
  }
  expect(phone.problems).toEqual([]);
});
