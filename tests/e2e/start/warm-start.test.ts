import type { Page } from 'playwright';
import { beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import type { Phone } from '../support/phone/browser.ts';
import { rowsOf } from '../support/phone/device-db.ts';
import { retryTimeout, untilSynced, withoutLive } from '../support/phone/sync.ts';
import { lastUpdatedLine, plantCard, signIn, waterNow } from '../support/screens/garden.ts';
import type { AppServer } from '../support/server/app-server.ts';
import { wateringsSince } from '../support/server/waterings.ts';
import { setUp } from '../support/set-up.ts';

let server: AppServer;
let phone: Phone;
beforeAll(async () => {
  const made = await setUp('/dashboard');
  ({ server, phone } = made);
  return made.close;
});
beforeEach(async () => {
  const { page } = phone;
  // The app saves the snapshot again when its page is closed, so read it from a page without the app.
  await page.goto('/healthz');
  if (isComplete(await kept())) return;
  await signIn(page);
  await untilKept();
  await page.goto('/healthz');
});

const kept = () => phone.page.evaluate(() => localStorage.getItem('sprig.garden'));
/** A page closed within two seconds saves the plants only, without readings and without the time of the last pull. */
const isComplete = (stored: string | null) =>
  stored?.includes('Monty') && /"pulledAt":\d/.test(stored);
/** Waits for a complete snapshot, for which the app has to load all data of the plants. */
const untilKept = () =>
  expect.poll(async () => isComplete(await kept()), { timeout: 30_000 }).toBe(true);

/**
 * Keeps the device's database busy from a page without the app, as on a slow device: the database opens, but no query
 * resolves until the returned function is called.
 */
async function holdDatabase(): Promise<() => Promise<void>> {
  const holder = await phone.context.newPage();
  await holder.goto('/healthz');
  await holder.evaluate(async () => {
    const names = (await indexedDB.databases()).map(({ name }) => name ?? '');
    const name = names.find((one) => one.startsWith('sprig-')) ?? '';
    const db = await new Promise<IDBDatabase>((resolve) => {
      const request = indexedDB.open(name);
      request.onsuccess = () => resolve(request.result);
    });
    const state = { isHeld: true };
    Object.assign(window, { state });
    const store = db.transaction([...db.objectStoreNames], 'readwrite').objectStore('meta');
    const goOn = () => {
      if (state.isHeld) store.get('nothing').onsuccess = goOn;
      else db.close();
    };
    await new Promise<void>((resolve) => {
      store.get('nothing').onsuccess = () => {
        goOn();
        resolve();
      };
    });
  });
  return async () => {
    await holder.evaluate(() => {
      Object.assign((window as unknown as { state: object }).state, { isHeld: false });
    });
    await holder.close();
  };
}

test('the cards of the snapshot work before the database responds: they can be watered and opened', async () => {
  const release = await holdDatabase();
  const { page } = phone;
  const before = new Date();
  await page.goto('/dashboard');
  await plantCard(page, 'Monty').getByText('Swiss Cheese Plant').waitFor();
  await plantCard(page, 'Monty').getByRole('list', { name: 'Latest readings' }).waitFor();
  await page.getByRole('heading', { name: 'All Plants (12)' }).waitFor();
  await waterNow(page, 'Monty').tap();
  await waterNow(page, 'Monty').getByText('Watering...').waitFor();
  await page.getByRole('link', { name: 'Details of Zed' }).tap();
  await page.getByRole('dialog', { name: 'Zed' }).getByText('Overview').waitFor();
  await page.goBack();
  expect(await waterNow(page, 'Monty').textContent()).toBe('Watering...');
  await release();
  await page.getByText('Monty watered').waitFor({ state: 'attached' });
  const sent = { source: 'manual' };
  await expect.poll(() => wateringsSince(server, 'Monty', before)).toMatchObject([sent]);
});

test.each([
  { network: 'with a network', isOffline: false },
  { network: 'without one', isOffline: true },
])(
  '$network: when the plants of the database are shown, no card of the snapshot is moved, removed or replaced',
  async ({ isOffline }) => {
    await withoutLive(phone);
    const release = await holdDatabase();
    const { page, context } = phone;
    await context.setOffline(isOffline);
    onTestFinished(() => context.setOffline(false));
    await page.goto('/dashboard');
    await plantCard(page, 'Monty').waitFor();
    expect(await page.getByText(lastUpdatedLine).count()).toBe(isOffline ? 1 : 0);
    await page.evaluate(() => {
      const seen: string[] = [];
      const cards = new Set<Node>(document.querySelectorAll('article'));
      new MutationObserver((changes) => {
        for (const { removedNodes } of changes) {
          for (const node of removedNodes) {
            if (node instanceof Element && (cards.has(node) || node.querySelector('article'))) {
              seen.push(node.outerHTML);
            }
          }
        }
      }).observe(document, { childList: true, subtree: true });
      new PerformanceObserver((list) => {
        for (const { sources } of list.getEntries() as (PerformanceEntry & LayoutShift)[]) {
          const moved = sources.filter(({ node }) =>
            document.querySelector('main')?.contains(node),
          );
          seen.push(...moved.map(({ node }) => node?.textContent ?? ''));
        }
      }).observe({ type: 'layout-shift' });
      Object.assign(window, { seen });
    });
    // The app saves a snapshot again once it shows the plants of the database.
    await page.evaluate(() => localStorage.removeItem('sprig.garden'));
    await release();
    await untilKept();
    expect(await page.evaluate(() => (window as unknown as { seen: string[] }).seen)).toEqual([]);
    await phone.context.unrouteAll({ behavior: 'ignoreErrors' });
  },
);

interface LayoutShift {
  sources: { node: Node | null }[];
}

test('in an offline start a press of Water Now is not lost, even if it comes as soon as the button appears', async () => {
  const { page } = phone;
  await page.goto('/dashboard');
  const names = page.getByRole('heading', { level: 3 });
  // The first frame has only the cards that fill the screen.
  await names.nth(10).waitFor();
  const thirsty = (await names.allTextContents()).filter((name) => name !== 'Monty').slice(0, 10);
  expect(thirsty).toHaveLength(10);
  const messages: string[] = [];
  await server.kill();
  for (const [index, nickname] of thirsty.entries()) {
    const tab = await phone.context.newPage();
    tab.on('console', (message) => messages.push(message.text()));
    await tapAtOnce(tab, nickname);
    await tab.goto('/dashboard', { waitUntil: 'commit' });
    await plantCard(tab, nickname).getByText('Waiting to be sent').waitFor();
    const ops = await rowsOf<{ type: string }>(tab, 'outbox');
    expect(ops.map(({ type }) => type)).toEqual(Array(index + 1).fill('water'));
    await tab.close();
  }
  await server.start();
  // Nothing in the page violates its Content-Security-Policy, e.g. by connecting to a data: URL.
  expect(messages.filter((text) => /Content Security Policy/.test(text))).toEqual([]);
});

/** Presses the plant's button as soon as it appears. */
async function tapAtOnce(page: Page, nickname: string): Promise<void> {
  await page.addInitScript((wanted) => {
    const observer = new MutationObserver(() => {
      const button = document.querySelector<HTMLElement>(`[aria-label="Water Now: ${wanted}"]`);
      if (!button) return;
      observer.disconnect();
      button.click();
    });
    observer.observe(document, { childList: true, subtree: true });
  }, nickname);
}

test('the dashboard, the articles and the landing page have exactly one title element each', async () => {
  const { page } = phone;
  for (const address of ['/dashboard', '/dashboard/articles', '/landing']) {
    await page.goto(address);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await expect.poll(() => page.locator('head > title').count()).toBe(1);
  }
});

test('a snapshot of another build is not shown', async () => {
  const { page } = phone;
  const record = JSON.parse((await kept()) ?? '{}');
  await page.evaluate(
    (text) => localStorage.setItem('sprig.garden', text),
    JSON.stringify({ ...record, build: '/assets/main-older.js' }),
  );
  const release = await holdDatabase();
  await page.goto('/dashboard');
  await page.getByText('Loading dashboard data...').waitFor();
  expect(await page.getByRole('article').count()).toBe(0);
  await release();
  await plantCard(page, 'Monty').waitFor();
});

test('signing out deletes the snapshot', async () => {
  const { page } = phone;
  await page.goto('/dashboard');
  // With changes of an earlier test to send, signing out would ask first.
  await untilSynced(page, retryTimeout);
  await page.getByRole('button', { name: 'User menu' }).click();
  await page.getByRole('button', { name: 'Sign Out' }).click();
  await page.waitForURL('**/signin*');
  expect(await kept()).toBeNull();
});

test('the snapshot is deleted when the server has ended the session', async () => {
  const { page } = phone;
  await server.query('DELETE FROM sessions');
  await page.goto('/dashboard');
  await page.waitForURL('**/signin*');
  expect(await kept()).toBeNull();
});
