import type { Page } from 'playwright';
import { beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { opRow } from '../../support/device/device-rows.ts';
import { appUrl, type Phone } from '../support/phone/browser.ts';
import { holdOpen, makeFirstVersion, removeDatabase, rowsOf } from '../support/phone/device-db.ts';
import { notice, untilSynced } from '../support/phone/sync.ts';
import { plantCard, signIn, waterNow } from '../support/screens/garden.ts';
import { idOf } from '../support/screens/plant-dialog.ts';
import type { AppServer } from '../support/server/app-server.ts';
import { wateringsSince } from '../support/server/waterings.ts';
import { setUp } from '../support/set-up.ts';

let server: AppServer;
let phone: Phone;
let page: Page;
beforeAll(async () => {
  const made = await setUp('/dashboard');
  ({ server, phone } = made);
  page = phone.page;
  return made.close;
});
beforeEach(async () => {
  await page.goto('/dashboard');
  await plantCard(page, 'Monty').waitFor();
});

/**
 * Makes the page's writes to IndexedDB fail as on a full device, but not those of workers. Chromium's quota override
 * does not affect IndexedDB.
 */
async function fillDevice(): Promise<void> {
  await page.evaluate(() => {
    for (const write of ['add', 'put'] as const) {
      IDBObjectStore.prototype[write] = () => {
        throw new DOMException('no room left', 'QuotaExceededError');
      };
    }
  });
}

test('a watering that cannot be stored on a full device is reported, and works once there is room', async () => {
  const before = new Date();
  await fillDevice();
  await waterNow(page, 'Monty').click();
  await page.getByRole('alert').getByText('This device is full: that was not saved').waitFor();
  await expect.poll(() => plantCard(page, 'Monty').textContent()).not.toContain('Waiting');
  await page.reload();
  // To make room, the app has deleted the readings. Until they are loaded again, the card is lower and its button moves.
  await expect.poll(async () => (await rowsOf(page, 'latest')).length).toBe(12);
  await expect.poll(() => plantCard(page, 'Monty').textContent()).toMatch(/\d %/);
  await waterNow(page, 'Monty').click();
  await expect.poll(() => wateringsSince(server, 'Monty', before)).toHaveLength(1);
  await expect.poll(() => notice(page).count()).toBe(0);
});

async function noAnswer(): Promise<never[]> {
  await page.waitForTimeout(2_000);
  return [];
}

test('storage that the browser clears while a page is open is filled again automatically', async () => {
  const cdp = await phone.context.newCDPSession(page);
  await cdp.send('Storage.clearDataForOrigin', {
    origin: appUrl,
    storageTypes: 'indexeddb',
  });
  // While the browser clears the storage, a query may never resolve, so each attempt has a time limit.
  const plants = () => Promise.race([rowsOf(page, 'plants').catch(() => []), noAnswer()]);
  await expect.poll(async () => (await plants()).length, { timeout: 30_000 }).toBe(12);
  await expect.poll(() => page.getByRole('article').count()).toBe(12);
  await expect.poll(() => notice(page).count()).toBe(0);
});

test('after their database was deleted, plants are loaded again: in an open app through Reload, otherwise at the next start or sign-in', async () => {
  const other = await phone.context.newPage();
  await other.goto('/healthz');
  // Checked besides the cards, because those may come from the garden snapshot.
  const stored = async () => (await rowsOf(page, 'plants').catch(() => [])).length;
  await removeDatabase(other);
  await notice(page).getByText('Your plants are no longer on this device').waitFor();
  await notice(page).getByRole('button', { name: 'Reload' }).click();
  await expect.poll(stored).toBe(12);
  await expect.poll(() => page.getByRole('article').count()).toBe(12);

  await page.goto('/healthz');
  await removeDatabase(other);
  await page.goto('/dashboard');
  await expect.poll(stored).toBe(12);
  await expect.poll(() => page.getByRole('article').count()).toBe(12);

  await server.query('DELETE FROM sessions');
  await page.reload();
  await page.getByRole('heading', { name: 'Welcome back' }).waitFor();
  await removeDatabase(other);
  await other.close();
  await signIn(page);
  await expect.poll(stored).toBe(12);
  await expect.poll(() => page.getByRole('article').count()).toBe(12);
  await expect.poll(() => notice(page).count()).toBe(0);
});

test('the outbox of an older version is migrated and sent once', async () => {
  const before = new Date();
  const entity = await idOf(server, 'Zed');
  const {
    isNoticed: _,
    type: kind,
    ...op
  } = opRow({
    entity,
    type: 'water',
    occurredAt: Date.now(),
  });
  // A page of the origin without the app.
  await page.goto('/healthz');
  await makeFirstVersion(page, [{ ...op, kind, v: 1 }]);
  await page.goto('/dashboard');
  await expect
    .poll(() => wateringsSince(server, 'Zed', before), { timeout: 20_000 })
    .toHaveLength(1);
  await plantCard(page, 'Zed').getByText('Waiting to be sent').waitFor({ state: 'detached' });
  await untilSynced(page);
  expect(await wateringsSince(server, 'Zed', before)).toHaveLength(1);
});

test('a database upgrade that another tab blocks shows a notice and continues automatically', async () => {
  await page.goto('/healthz');
  const other = await phone.context.newPage();
  await other.goto('/healthz');
  await makeFirstVersion(other, []);
  await holdOpen(other, 1);
  await page.goto('/dashboard');
  await notice(page).getByText('Sprig waits for its other tabs').waitFor();
  await other.close();
  await notice(page).waitFor({ state: 'detached' });
  await expect.poll(() => page.getByRole('article').count(), { timeout: 20_000 }).toBe(12);
});

test('a page whose database was upgraded by another tab shows a notice and stores nothing', async () => {
  const before = new Date();
  const other = await phone.context.newPage();
  await other.goto('/healthz');
  onTestFinished(async () => {
    // Both pages have the database open. The app could not open the newer one in the next test.
    await other.close();
    await page.goto('/healthz');
    await removeDatabase(page);
  });
  await holdOpen(other, 9);
  await notice(page).getByText('Sprig was updated in another tab').waitFor();
  await waterNow(page, 'Monty').click();
  expect(await notice(page).textContent()).toContain('Until then nothing new is kept.');
  await notice(page).getByRole('button', { name: 'Reload' }).click();
  // This app is older than the database, so it must not write to it.
  await notice(page).getByText('Sprig was updated in another tab').waitFor();
  expect(await rowsOf(other, 'outbox')).toEqual([]);
  expect(await wateringsSince(server, 'Monty', before)).toHaveLength(0);
  expect(phone.problems).toEqual([]);
});
