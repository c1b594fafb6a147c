import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { deferred } from '../../support/deferred.ts';
import { appUrl, openPhone, type Phone } from '../support/phone/browser.ts';
import {
  closeSidebar,
  plantCard,
  signIn,
  untilInstalled,
  waterNow,
} from '../support/screens/garden.ts';
import { type AppServer, openAppServer } from '../support/server/app-server.ts';
import {
  buildClient,
  builtClient,
  copyBuiltApp,
  type Deployment,
} from '../support/server/deployment.ts';
import { wateringsSince } from '../support/server/waterings.ts';

let deployment: Deployment;
let server: AppServer;
let phone: Phone;
let tab: Page;
const nextBuild = fs.mkdtempSync(path.join(os.tmpdir(), 'sprig-next-'));
beforeAll(async () => {
  deployment = copyBuiltApp();
  server = await openAppServer(deployment.mainFile);
  await Promise.all([server.start(), buildClient(nextBuild, appUrl)]);
});
afterAll(async () => {
  await server.close();
  deployment.remove();
  fs.rmSync(nextBuild, { recursive: true });
});
/** Each test starts with the first version installed on a new phone. */
beforeEach(async () => {
  deployment.deploy(builtClient);
  phone = await openPhone(server.url);
  tab = phone.page;
  await signIn(tab);
  await untilInstalled(tab);
  return () => phone.close();
});

/** The browser activates a version when the old one has no more work. On a busy machine that once took over 20 s. */
const soon = { timeout: 60_000 };
const prompt = (page: Page) => page.getByText('A new version of Sprig is ready.');
const update = (page: Page) => page.getByRole('button', { name: 'Update', exact: true });

/** The URL of the app's entry script, which identifies the version. */
async function versionOf(page: Page): Promise<string> {
  return page.evaluate(
    () => document.querySelector<HTMLScriptElement>('script[src*="/main-"]')?.src ?? '',
  );
}

/** Simulates that somebody returns to the tab. */
async function comeBack(page: Page): Promise<void> {
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
}

async function untilUpdateWaits(page: Page): Promise<void> {
  const isWaiting = () =>
    page.evaluate(async () => {
      const registration = await navigator.serviceWorker.getRegistration();
      return Boolean(registration?.waiting);
    });
  await expect.poll(isWaiting, soon).toBe(true);
}

test('a new version is not offered while a form holds input or a change is being sent; accepting it reloads only that tab, and of all earlier versions only the one before stays cached', async () => {
  const oldTab = await phone.context.newPage();
  await oldTab.goto('/dashboard');
  await plantCard(oldTab, 'Monty').waitFor();
  await tab.goto('/dashboard/plants?form=new');
  await tab.getByLabel('Nickname').fill('Half a name');

  deployment.deploy(nextBuild);
  await comeBack(tab);
  await untilUpdateWaits(tab);
  await prompt(oldTab).waitFor();
  // The other tab already shows the offer. Both tabs check equally often whether a reload is safe, so this tab is
  // hiding the offer.
  expect(await prompt(tab).count()).toBe(0);
  expect(await tab.getByLabel('Nickname').inputValue()).toBe('Half a name');

  await tab.getByRole('button', { name: 'Cancel' }).click();
  await prompt(tab).waitFor();

  await oldTab.goto('/dashboard');
  const answered = deferred();
  await phone.context.route('**/api/plants/*/water**', async (route) => {
    await answered.promise;
    await route.continue();
  });
  await prompt(oldTab).waitFor();
  await waterNow(oldTab, 'Monty').click();
  await prompt(oldTab).waitFor({ state: 'detached' });
  await prompt(tab).waitFor({ state: 'detached' });
  answered.resolve();
  await prompt(oldTab).waitFor();
  await prompt(tab).waitFor();
  await phone.context.unrouteAll();

  // The tab of the old version keeps working.
  const before = await versionOf(tab);
  expect(await versionOf(oldTab)).toBe(before);
  await closeSidebar(oldTab);
  await oldTab.getByLabel('Search plants').fill('mon');
  await update(tab).click();
  await expect.poll(() => versionOf(tab).catch(() => before), soon).not.toBe(before);
  await plantCard(tab, 'Monty').waitFor();

  expect(await versionOf(oldTab)).toBe(before);
  expect(await oldTab.getByLabel('Search plants').inputValue()).toBe('mon');
  // The server has deleted the old chunks. Without the HTTP cache they must come from the worker's cache.
  const browser = await phone.context.newCDPSession(oldTab);
  await browser.send('Network.clearBrowserCache');
  await oldTab.getByRole('link', { name: 'Details of Monty' }).click();
  await oldTab.getByRole('tab', { name: 'Sensor Data' }).click();
  await oldTab.getByRole('slider').first().waitFor();
  expect(await versionOf(oldTab)).toBe(before);
  await oldTab.keyboard.press('Escape');

  // The new version is active already, so accepting the offer in the old tab only reloads it.
  await prompt(oldTab).waitFor();
  expect(await prompt(tab).count()).toBe(0);
  await update(oldTab).click();
  await expect.poll(() => versionOf(oldTab).catch(() => before), soon).toBe(await versionOf(tab));

  // Of the files that only earlier versions have, those of the version directly before are kept.
  deployment.deploy(builtClient);
  await comeBack(tab);
  await update(tab).click();
  await expect.poll(() => versionOf(tab).catch(() => ''), soon).toBe(before);
  const kept = await previousAssets(tab);
  expect(kept).not.toEqual([]);
  const isIn = (build: string) => (file: string) => fs.existsSync(path.join(build, file));
  expect(kept.filter(isIn(nextBuild))).toEqual(kept);
  expect(kept.filter(isIn(builtClient))).toEqual([]);
  expect(phone.problems).toEqual([]);
});

/** The files that the service worker keeps for tabs of the version before. */
function previousAssets(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const requests = await (await caches.open('sprig-former-parts')).keys();
    return requests.map(({ url }) => new URL(url).pathname);
  });
}

test('each new version is offered in an open tab, also after Later for earlier ones', async () => {
  for (const version of [nextBuild, builtClient, nextBuild]) {
    deployment.deploy(version);
    await comeBack(tab);
    await prompt(tab).waitFor();
    await tab.getByRole('button', { name: 'Later' }).click();
    await prompt(tab).waitFor({ state: 'detached' });
  }
  expect(phone.problems).toEqual([]);
});

test('a chunk that can no longer be loaded reloads the page once, but not while a form holds input', async () => {
  await tab.goto('/dashboard?form=new');
  await tab.getByLabel('Nickname').fill('Half a name');
  await loseParts(tab, 'plant-dialog');
  let loads = 0;
  tab.on('load', () => {
    loads += 1;
  });
  // Dispatches Vite's event for a missing chunk, then waits for IndexedDB, which the app reads before it reloads.
  await tab.evaluate(async () => {
    const payload = new Error('A part is lost');
    window.dispatchEvent(Object.assign(new Event('vite:preloadError'), { payload }));
    await indexedDB.databases();
  });
  expect(await tab.getByLabel('Nickname').inputValue()).toBe('Half a name');
  expect(loads).toBe(0);
  await tab.getByRole('button', { name: 'Cancel' }).click();
  await tab.getByRole('dialog').waitFor({ state: 'detached' });

  await tab.getByRole('link', { name: 'Details of Monty' }).click();
  // Checked first, because the heading can be shown for a moment before the reload too.
  await expect.poll(() => loads).toBe(1);
  await tab.getByRole('heading', { name: 'This screen could not be shown' }).waitFor();
  await tab.evaluate(() => indexedDB.databases());
  expect(loads).toBe(1);
  await tab.goto('/dashboard');
  await plantCard(tab, 'Monty').waitFor();
});

/** Deletes the chunks of this name from the server, the service worker's caches and the HTTP cache. */
async function loseParts(page: Page, name: string): Promise<void> {
  await page.evaluate(async (lost) => {
    for (const kept of await caches.keys()) {
      const cache = await caches.open(kept);
      for (const request of await cache.keys()) {
        if (request.url.includes(lost)) await cache.delete(request);
      }
    }
  }, name);
  const browser = await phone.context.newCDPSession(page);
  await browser.send('Network.clearBrowserCache');
  for (const file of fs.readdirSync(path.join(deployment.clientDir, 'assets'))) {
    if (!file.includes(name)) continue;
    fs.rmSync(path.join(deployment.clientDir, 'assets', file));
  }
}

test('the kill switch removes the service worker, keeps unsent changes and can be undone', async () => {
  const worker = path.join(deployment.clientDir, 'sw.js');
  fs.copyFileSync(path.join(deployment.clientDir, 'sw-off.js'), worker);
  const before = new Date();
  await withoutPlants(async () => {
    await waterNow(tab, 'Monty').click();
    await plantCard(tab, 'Monty').getByText('Waiting to be sent').waitFor();
    await openedBy('server');
    expect(await tab.evaluate(() => caches.keys())).toEqual([]);
    await plantCard(tab, 'Monty').getByText('Waiting to be sent').waitFor();
  });
  await plantCard(tab, 'Monty').getByText('Waiting to be sent').waitFor({ state: 'detached' });
  expect(await wateringsSince(server, 'Monty', before)).toHaveLength(1);

  deployment.deploy(nextBuild);
  // An unregistered worker stays until its last page is closed, so restart the browser to be sure that it is gone.
  await phone.restart();
  tab = phone.page;
  await openedBy('worker');
  await server.kill();
  onTestFinished(() => server.start());
  await tab.goto('/dashboard/schedule');
  await tab.getByRole('heading', { name: 'Watering Schedule' }).waitFor();
  await expect.poll(() => tab.getByRole('article').count(), soon).toBe(12);
});

/**
 * Runs `act` while the server responds to requests about plants with a 500. Then dispatches `online`, so that the app
 * retries at once. Once, on a busy machine, the change arrived although a route of the browser aborted all requests to
 * the API, so the server has to reject them.
 */
async function withoutPlants(act: () => Promise<void>): Promise<void> {
  await server.query('ALTER TABLE plants RENAME TO missing_plants');
  try {
    await act();
  } finally {
    await server.query('ALTER TABLE missing_plants RENAME TO plants');
  }
  await tab.evaluate(() => window.dispatchEvent(new Event('online')));
}

/** How long one load waits for its worker. A worker that takes longer is found by the next load. */
const maxWaitMs = 5_000;

/** Reloads until the page is served by `source`. If `source` is the worker, also accepts an offered update. */
async function openedBy(source: 'server' | 'worker'): Promise<void> {
  const open = async () => {
    const page = await tab.goto('/dashboard');
    // Chromium's own update check waits for a second without activity, which these reloads may prevent.
    const checked = lookForWorker();
    const isReady =
      source === 'worker' ? checked.catch(() => null).then(() => untilInstalled(tab)) : checked;
    // A worker that is being removed may never become ready, so the wait has a limit.
    await Promise.race([isReady.catch(() => null), tab.waitForTimeout(maxWaitMs)]);
    if (source === 'worker' && (await prompt(tab).isVisible())) await update(tab).click();
    return `${page?.fromServiceWorker() ? 'worker' : 'server'} ${await workersOf(tab)}`;
  };
  await expect.poll(open, { timeout: 80_000, interval: 50 }).toMatch(new RegExp(`^${source} `));
}

/** The states of the page's service workers, for the error message. */
function workersOf(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const registration = await navigator.serviceWorker.getRegistration();
    return JSON.stringify({
      controlling: navigator.serviceWorker.controller?.state,
      active: registration?.active?.state,
      waiting: registration?.waiting?.state,
      installing: registration?.installing?.state,
    });
  });
}

/** Checks for a new service worker without the browser's delay, and waits until it is active or redundant. */
async function lookForWorker(): Promise<void> {
  await tab.evaluate(async () => {
    const registration = await navigator.serviceWorker.getRegistration();
    await registration?.update();
    const next = registration?.installing;
    if (!next) return;
    await new Promise<void>((resolve) => {
      next.addEventListener('statechange', () => {
        if (next.state === 'activated' || next.state === 'redundant') resolve();
      });
    });
  });
}
