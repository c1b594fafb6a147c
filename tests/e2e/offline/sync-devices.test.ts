import type { Page } from 'playwright';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { deferred } from '../../support/deferred.ts';
import { opRow } from '../../support/device/device-rows.ts';
import { appUrl, openPhone, type Phone, passOn } from '../support/phone/browser.ts';
import { putRows } from '../support/phone/device-db.ts';
import { dispatchSync } from '../support/phone/push-worker.ts';
import {
  indicator,
  openAndPull,
  openChanges,
  untilSynced,
  withoutApi,
} from '../support/phone/sync.ts';
import {
  closeSidebar,
  fillSignIn,
  lastUpdatedLine,
  plantCard,
  signIn,
  untilInstalled,
  waterNow,
} from '../support/screens/garden.ts';
import { idOf } from '../support/screens/plant-dialog.ts';
import { editField } from '../support/screens/plant-form.ts';
import type { AppServer } from '../support/server/app-server.ts';
import { wateringsSince } from '../support/server/waterings.ts';
import { setUp } from '../support/set-up.ts';

let server: AppServer;
let phone: Phone;
beforeAll(async () => {
  // A new phone: Playwright does not intercept a service worker that an earlier browser process has installed.
  const made = await setUp(undefined, { isComplete: true });
  ({ server, phone } = made);
  await signIn(phone.page);
  return made.close;
});
beforeEach(() => openAndPull(phone.page, '/dashboard'));

/** The client that holds the lock of sync, which is the only one that sends; null if no client holds it. */
const leadingClient = (page: Page) =>
  page.evaluate(async () => {
    const { held = [] } = await navigator.locks.query();
    return held.find(({ name }) => name?.startsWith('sync '))?.clientId ?? null;
  });

/** Waits for the account's lock of sync and has it until the page is closed. */
async function holdLockOfSync(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const names = (await indexedDB.databases()).map(({ name }) => name ?? '');
    const name = names.find((one) => one.startsWith('sprig-')) ?? '';
    await new Promise<void>((resolve) => {
      void navigator.locks.request(`sync ${name}`, () => {
        resolve();
        return new Promise(() => undefined);
      });
    });
  });
}

const arrived = (nickname: string, since: Date) =>
  expect.poll(() => wateringsSince(server, nickname, since), { timeout: 40_000 }).toHaveLength(1);

test('offline waterings of two tabs show in both and reach the server once each', async () => {
  const before = new Date();
  const other = await phone.context.newPage();
  await other.goto('/dashboard');
  await withoutApi(phone, async () => {
    await waterNow(phone.page, 'Monty').click();
    await waterNow(other, 'Figaro').click();
    for (const page of [phone.page, other]) {
      await plantCard(page, 'Monty').getByText('Waiting to be sent').waitFor();
      await plantCard(page, 'Figaro').getByText('Waiting to be sent').waitFor();
    }
    // The closed tab may be the leading one.
    await phone.page.close();
    phone.page = other;
  });
  await arrived('Monty', before);
  await arrived('Figaro', before);
  await untilSynced(other);
  await other.getByText('All changes saved', { exact: true }).waitFor({ state: 'attached' });
  await expect
    .poll(() => other.locator('body').textContent())
    .not.toMatch(/pending|queued|waiting|to sync/i);
  expect(await wateringsSince(server, 'Monty', before)).toHaveLength(1);
});

test('a tab that is about to be frozen lets another tab send', async () => {
  const before = new Date();
  const leading = phone.page;
  await expect.poll(() => leadingClient(leading)).not.toBeNull();
  const leader = await leadingClient(leading);
  const other = await phone.context.newPage();
  await other.goto('/dashboard');
  // Chromium freezes only hidden tabs, and in headless mode every tab counts as visible.
  await leading.evaluate(() => document.dispatchEvent(new Event('freeze')));
  await expect.poll(() => leadingClient(other)).not.toBe(leader);
  await waterNow(other, 'Zed').click();
  await arrived('Zed', before);
  await leading.close();
  phone.page = other;
});

test('a watering whose page was killed while sending is completed by the next page', async () => {
  const before = new Date();
  const { page } = phone;
  const id = await idOf(server, 'Captain Gel');
  const { promise: landed, resolve } = deferred();
  await phone.context.route(`**/${id}/water**`, async (route) => {
    await passOn(route, server);
    await page.close();
    resolve();
  });
  // The page may be closed before Playwright's click has resolved.
  const tap = waterNow(page, 'Captain Gel')
    .click()
    .catch(() => undefined);
  await landed;
  await tap;
  await phone.context.unrouteAll({ behavior: 'ignoreErrors' });
  phone.page = await phone.context.newPage();
  await phone.page.goto('/dashboard');
  await untilSynced(phone.page, { timeout: 40_000 });
  expect(await wateringsSince(server, 'Captain Gel', before)).toHaveLength(1);
});

test('the status line about an unreachable server moves no card and intercepts no tap', async () => {
  const { page } = phone;
  await closeSidebar(page);
  await untilSynced(page);
  const before = await plantCard(page, 'Monty').boundingBox();
  const line = page.getByText(lastUpdatedLine);
  expect(await line.count()).toBe(0);
  await withoutApi(phone, async () => {
    await page.evaluate(() => window.dispatchEvent(new Event('online')));
    await line.waitFor();
    expect(await plantCard(page, 'Monty').boundingBox()).toEqual(before);
    const { x = 0, y = 0, width = 0, height = 0 } = (await line.boundingBox()) ?? {};
    expect(y + height).toBeLessThanOrEqual(page.viewportSize()?.height ?? 0);
    const touched = await page.evaluate(
      ([left, top]) => document.elementFromPoint(left, top)?.closest('[role="status"]') ?? null,
      [x + width / 2, y + height / 2] as const,
    );
    expect(touched).toBeNull();
  });
});

test('edits of different fields on two devices are merged and shown on both', async () => {
  const second = await openPhone(server.url);
  await signIn(second.page);
  await withoutApi(phone, async () => {
    for (const { page } of [phone, second]) await page.goto('/dashboard/plants');
    await editField(phone.page, 'Monty', /^Location/, 'Attic');
    await editField(second.page, 'Monty', /^Description/, 'Likes the attic');
  });
  const onServer = () =>
    server.query("SELECT location, description FROM plants WHERE nickname = 'Monty'");
  const both = { location: 'Attic', description: 'Likes the attic' };
  await expect.poll(onServer).toEqual([both]);
  for (const [{ page }, edited] of [
    [phone, 'Likes the attic'],
    [second, 'Attic'],
  ] as const) {
    await openChanges(page);
    await page.getByRole('button', { name: 'Sync now' }).click();
    await page.goBack();
    await page.getByRole('link', { name: 'Details of Monty' }).click();
    await page.getByRole('dialog').getByText(edited, { exact: true }).waitFor();
  }
  expect(second.problems).toEqual([]);
  await second.close();
});

test('while many changes are sent, a progress bar shows how many have been sent', async () => {
  const names = ['Monty', 'Zed', 'Fernanda', 'Ruby', 'Figaro', 'Captain Gel'];
  const ids = await Promise.all(names.map((name) => idOf(server, name)));
  const hourMs = 3_600_000;
  const start = Date.now() - 60 * hourMs;
  const ops = Array.from({ length: 300 }, (_, i) => {
    const occurredAt = start + Math.floor(i / ids.length) * hourMs;
    return opRow({ seq: 1_000 + i, entity: ids[i % ids.length] ?? '', type: 'water', occurredAt });
  });
  const count = async () =>
    (await server.query("SELECT 1 FROM waterings WHERE source = 'manual'")).length;
  const before = await count();
  const { page } = phone;
  // Pages of the origin without the app. One of them has the lock of sync, so that the app sends nothing yet.
  await page.goto('/healthz');
  const holder = await phone.context.newPage();
  await holder.goto('/healthz');
  await holdLockOfSync(holder);
  await putRows(page, 'outbox', ops);
  await page.goto('/dashboard');
  await expect
    .poll(() => indicator(page).getAttribute('aria-label'))
    .toBe('300 changes waiting, 300 waiting. Sync details');
  const [second, third] = [deferred(), deferred()];
  const gates = [undefined, second.promise, third.promise];
  await phone.context.route('**/api/batch', async (route) => {
    await gates.shift();
    await route.continue();
  });
  await openChanges(page);
  await holder.close();
  const bar = page.getByRole('progressbar', { name: /^\d+ of 300 changes sent$/ });
  const value = async () => Number(await bar.getAttribute('value'));
  await expect.poll(value).toBeGreaterThan(0);
  const first = await value();
  second.resolve();
  await expect.poll(value).toBeGreaterThan(first);
  third.resolve();
  await page
    .getByText('The server has everything that you did here.')
    .waitFor({ timeout: 200_000 });
  expect(await count()).toBe(before + 300);
  await phone.context.unrouteAll();
  expect(phone.problems).toEqual([]);
});

test('an offline watering is sent when the network is back, even if the app is closed, and a failed attempt is retried', async () => {
  const before = new Date();
  await untilInstalled(phone.page);
  const elsewhere = await phone.context.newPage();
  await phone.context.route('**/api/**', (route) => route.abort());
  await waterNow(phone.page, 'Ruby').click();
  await plantCard(phone.page, 'Ruby').getByText('Waiting to be sent').waitFor();
  await expect.poll(() => registeredTags(phone.page)).toHaveLength(1);
  const [tag = ''] = await registeredTags(phone.page);
  // While the page has the account's lock, the worker cannot send the change.
  expect(await dispatchSync(phone, tag)).toBe('to be retried');
  await phone.page.close();
  phone.page = elsewhere;
  await phone.context.unrouteAll();
  await callServiceWorker(elsewhere, tag);
  await arrived('Ruby', before);
  await elsewhere.goto('/dashboard');
  await untilSynced(elsewhere);
  expect(await wateringsSince(server, 'Ruby', before)).toHaveLength(1);
});

/** The tags of the registered background syncs. */
function registeredTags(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const { sync } = (await navigator.serviceWorker.ready) as ServiceWorkerRegistration & {
      sync: { getTags: () => Promise<string[]> };
    };
    return sync.getTags();
  });
}

/** Dispatches the sync event, which the browser does at an unspecified time after the network is back. */
async function callServiceWorker(page: Page, tag: string): Promise<void> {
  // Without a network interface on this machine the browser dispatches no sync event, so the test does it.
  if (!(await page.evaluate(() => navigator.onLine))) {
    await dispatchSync(phone, tag);
    return;
  }
  const cdp = await phone.context.newCDPSession(page);
  const registered = new Promise<string>((resolve) => {
    cdp.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [ours] = registrations.filter(({ scopeURL }) => scopeURL.startsWith(appUrl));
      if (ours) resolve(ours.registrationId);
    });
  });
  await cdp.send('ServiceWorker.enable');
  await cdp.send('ServiceWorker.dispatchSyncEvent', {
    origin: appUrl,
    registrationId: await registered,
    tag,
    lastChance: false,
  });
  await cdp.detach();
}

test('another account on the same device neither sees nor sends data of the first', async () => {
  const before = new Date();
  await server.query(
    `INSERT INTO users SELECT (jsonb_populate_record(u, jsonb_build_object(
       'id', gen_random_uuid(), 'email', 'guest@sprig.local', 'email_key', 'guest@sprig.local',
       'username', 'guest', 'username_key', 'guest'))).* FROM users u WHERE email = 'demo@sprig.local'`,
  );
  await withoutApi(phone, async () => {
    await waterNow(phone.page, 'Monty').click();
    await plantCard(phone.page, 'Monty').getByText('Waiting to be sent').waitFor();
    await server.query('DELETE FROM sessions');
  });
  const { page } = phone;
  await page.getByText('Authentication required').waitFor();
  expect(await page.getByText('Monty').count()).toBe(0);
  await fillSignIn(page, { email: 'guest@sprig.local', password: 'demo-garden' });
  await page.getByLabel('Remember me').check();
  await page.getByRole('button', { name: 'Sign In' }).click();
  await page.getByText('No Plants Yet').waitFor();
  await closeSidebar(page);
  await untilSynced(page);
  expect(await wateringsSince(server, 'Monty', before)).toHaveLength(0);
  await page.getByRole('button', { name: 'User menu' }).click();
  await page.getByRole('button', { name: 'Sign Out' }).click();
  await page.waitForURL(/\/(signin|landing)/);
  await signIn(page);
  await arrived('Monty', before);
});
