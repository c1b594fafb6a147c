import { afterEach, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { appUrl, type Phone } from '../support/phone/browser.ts';
import { blockDatabase, putRows, rowsOf } from '../support/phone/device-db.ts';
import {
  closeNotifications,
  digest,
  fakePushService,
  openPushService,
  type PushService,
  shownNotifications,
} from '../support/phone/push.ts';
import {
  dispatchSync,
  displayedCount,
  failNextNotification,
  fakeBadge,
  holdLock,
  openWindows,
  tapNotification,
} from '../support/phone/push-worker.ts';
import { retryTimeout, untilSynced } from '../support/phone/sync.ts';
import { plantCard, signIn, waterNow } from '../support/screens/garden.ts';
import { idOf } from '../support/screens/plant-dialog.ts';
import type { AppServer } from '../support/server/app-server.ts';
import { wateringsSince } from '../support/server/waterings.ts';
import { setUp } from '../support/set-up.ts';

let server: AppServer;
let phone: Phone;
let service: PushService;
let account: string;
beforeAll(async () => {
  const made = await setUp('/dashboard', { isComplete: true });
  ({ server, phone } = made);
  await phone.context.grantPermissions(['notifications'], { origin: appUrl });
  service = await openPushService(phone);
  account = await databaseName();
  return made.close;
});
beforeEach(() => phone.page.goto('/dashboard'));
afterEach(() => closeNotifications(phone));

async function databaseName(): Promise<string> {
  const all = await phone.page.evaluate(async () => {
    return (await indexedDB.databases()).map(({ name }) => name ?? '');
  });
  return all.find((name) => name.startsWith('sprig-')) ?? '';
}

const named = async (...names: string[]) =>
  Promise.all(names.map(async (name) => ({ id: await idOf(server, name), name })));

const shown = () => shownNotifications(phone);

/** Waits until the worker has displayed the notification: Chromium can lose it if the list is read meanwhile. */
async function deliver(payload: string): Promise<void> {
  const before = await displayedCount(phone);
  await service.deliver(payload);
  await expect.poll(() => displayedCount(phone)).toBe(before + 1);
  expect(await shown()).toHaveLength(1);
}

const arrived = (nickname: string, since: Date) =>
  expect.poll(() => wateringsSince(server, nickname, since), retryTimeout).toHaveLength(1);

const allSaved = () => untilSynced(phone.page, retryTimeout);

test('Watered in a digest, tapped while the server is down, waters each plant once when the server is back', async () => {
  const before = new Date();
  await deliver(digest(account, await named('Monty', 'Zed')));
  expect(await shown()).toEqual([
    { title: '2 plants need water', body: 'Monty, Zed', isSilent: false, actions: ['Watered'] },
  ]);
  await server.kill();
  // Closes the app, because an open page would send instead of the service worker.
  await phone.page.goto('about:blank');
  await tapNotification(phone, 'water', 2);
  await phone.page.goto('/dashboard');
  await expect
    .poll(shown)
    .toEqual([
      { title: 'Watered, waiting to be sent', body: 'Monty and Zed', isSilent: true, actions: [] },
    ]);
  await plantCard(phone.page, 'Monty').getByText('Waiting to be sent').waitFor();
  const tappedUntil = Date.now();
  await server.start();
  await arrived('Monty', before);
  await arrived('Zed', before);
  const [watering] = await wateringsSince(server, 'Monty', before);
  expect(watering?.source).toBe('manual');
  expect(watering?.watered_at.getTime()).toBeLessThanOrEqual(tappedUntil);
  await allSaved();
});

test('while the server is reachable, an answer is sent at once, even if no page is open, and a notification confirms it', async () => {
  const before = new Date();
  await deliver(digest(account, await named('Figaro')));
  await phone.page.goto('about:blank');
  await tapNotification(phone, 'water');
  await arrived('Figaro', before);
  await phone.page.goto('/dashboard');
  await expect
    .poll(shown)
    .toEqual([{ title: 'Watered', body: 'Figaro', isSilent: true, actions: [] }]);
});

test('a background sync sends an answer that was given while the server was down, and updates its notification, while no window of the app is open', async () => {
  const before = new Date();
  await deliver(digest(account, await named('Zed')));
  await server.kill();
  await tapNotification(phone, 'water');
  await phone.page.goto('about:blank');
  await expect.poll(() => openWindows(phone)).toBe(0);
  await server.start();
  expect(await dispatchSync(phone, `send ${account}`)).toBe('done');
  await arrived('Zed', before);
  await phone.page.goto('/dashboard');
  await expect.poll(shown).toMatchObject([{ title: 'Watered', body: 'Zed' }]);
});

test('if the page sends the waterings of an answer, the notification says so without a background sync', async () => {
  const before = new Date();
  await phone.page.goto('/dashboard');
  // As if this browser had been subscribed before. Later tests begin without a subscription.
  const storeEndpoint = (value: string | null) =>
    putRows(phone.page, 'meta', [{ id: 'push-endpoint', value }]);
  await storeEndpoint('https://fcm.googleapis.com/a');
  onTestFinished(() => storeEndpoint(null));
  await phone.page.goto('/dashboard');
  await deliver(digest(account, await named('Professor Stripes')));
  await server.kill();
  // The service worker does not get the lock while the page has it.
  await tapNotification(phone, 'water');
  await expect.poll(shown).toMatchObject([{ title: 'Watered, waiting to be sent' }]);
  await server.start();
  await arrived('Professor Stripes', before);
  await expect
    .poll(shown)
    .toEqual([{ title: 'Watered', body: 'Professor Stripes', isSilent: true, actions: [] }]);
  await allSaved();
});

test('if the service worker ends before it has updated the notification, a second tap sends the waterings', async () => {
  const before = new Date();
  await deliver(digest(account, await named('Lady Swoon')));
  await phone.page.goto('about:blank');
  await failNextNotification(phone);
  await expect(tapNotification(phone, 'water')).rejects.toThrow('The worker has ended');
  await tapNotification(phone, 'water');
  await arrived('Lady Swoon', before);
  await phone.page.goto('/dashboard');
  await expect
    .poll(shown)
    .toEqual([{ title: 'Watered', body: 'Lady Swoon', isSilent: true, actions: [] }]);
  expect(await wateringsSince(server, 'Lady Swoon', before)).toHaveLength(1);
});

test('an answer is sent even if the sync worker of a closed page still holds the lock for a short time', async () => {
  const before = new Date();
  await deliver(digest(account, await named('Fernanda')));
  await phone.page.goto('about:blank');
  await holdLock(phone, `sync ${account}`, 1_500);
  await tapNotification(phone, 'water');
  await arrived('Fernanda', before);
  // `afterEach` closes the notifications and needs a page of the app for that.
  await phone.page.goto('/dashboard');
});

test('a plant that was watered in the app after its digest was shown is not watered again by an answer', async () => {
  const before = new Date();
  await deliver(digest(account, await named('Captain Gel')));
  await waterNow(phone.page, 'Captain Gel').click();
  await arrived('Captain Gel', before);
  await allSaved();
  await tapNotification(phone, 'water');
  await expect
    .poll(shown)
    .toEqual([{ title: 'Watered', body: 'Captain Gel', isSilent: true, actions: [] }]);
  expect(await rowsOf(phone.page, 'outbox')).toEqual([]);
  expect(await wateringsSince(server, 'Captain Gel', before)).toHaveLength(1);
});

test('a plant that was watered offline is left out of the next digest', async () => {
  await phone.context.route('**/api/**', (route) => route.abort());
  await waterNow(phone.page, 'Ruby').click();
  await plantCard(phone.page, 'Ruby').getByText('Waiting to be sent').waitFor();
  await deliver(digest(account, await named('Ruby', 'Captain Gel')));
  expect(await shown()).toMatchObject([{ title: 'Captain Gel needs water' }]);
  await closeNotifications(phone);
  await deliver(digest(account, await named('Ruby'), 'due-2026-11-24'));
  expect(await shown()).toMatchObject([
    { title: 'Nothing to water', body: expect.stringContaining('waiting to be sent'), actions: [] },
  ]);
  await phone.context.unrouteAll();
  await phone.page.goto('/dashboard');
  await allSaved();
});

test('a tap on a digest outside its button focuses the open app as it is; if the app is closed, it opens the schedule', async () => {
  await deliver(digest(account, await named('Fernanda')));
  expect(await tapNotification(phone, '')).toEqual(['focus /dashboard']);
  expect(await shown()).toEqual([]);
  await deliver(digest(account, await named('Fernanda')));
  await phone.page.goto('about:blank');
  await expect.poll(() => openWindows(phone)).toBe(0);
  expect(await tapNotification(phone, '')).toEqual(['open /dashboard/schedule']);
  await phone.page.goto('/dashboard');
  expect(await shown()).toEqual([]);
});

test.each(['', 'no JSON', '{"web_push":8030,"notification":{"title":7}}'])(
  'a payload that cannot be read still shows a notification: %j',
  async (payload) => {
    await deliver(payload);
    expect(await shown()).toMatchObject([
      { title: 'Sprig has news about your plants', actions: [] },
    ]);
  },
);

test('a digest of an account that is not on this device has no names and no button, and an answer writes nothing and says so', async () => {
  const before = await rowsOf(phone.page, 'outbox');
  await deliver(digest('sprig-another', await named('Fernanda')));
  expect(await shown()).toEqual([
    {
      title: 'Sprig has news about your plants',
      body: 'Sign in to Sprig to see it.',
      isSilent: false,
      actions: [],
    },
  ]);
  await tapNotification(phone, 'water');
  expect(await shown()).toEqual([
    {
      title: 'That was not saved',
      body: 'Open Sprig and tap Water Now there.',
      // It replaces a notification that the phone has already announced.
      isSilent: true,
      actions: [],
    },
  ]);
  expect(await rowsOf(phone.page, 'outbox')).toEqual(before);
  const names = await phone.page.evaluate(async () => {
    return (await indexedDB.databases()).map(({ name }) => name);
  });
  expect(names).not.toContain('sprig-another');
});

test('a digest is shown as it was sent, without a button, while the database does not answer', async () => {
  const monty = await named('Monty');
  const release = await blockDatabase(phone.page, account);
  await deliver(digest(account, monty));
  expect(await shown()).toMatchObject([
    { title: '1 plants need water', body: 'Monty', actions: [] },
  ]);
  await release();
});

test('the badge shows the due plants, and is cleared when they are watered', async () => {
  const badges = await fakeBadge(phone);
  await deliver(digest(account, await named('Fernanda', 'Zed')));
  expect(await badges()).toEqual([2]);
  await tapNotification(phone, 'water');
  expect(await badges()).toEqual([2, 0]);
  await allSaved();
});

test('the switch in Settings subscribes this browser and ends its subscription', async () => {
  const endpoint = await fakePushService(phone);
  const subscriptions = () => server.query('SELECT endpoint, account FROM push_subscriptions');
  await phone.page.goto('/dashboard/settings');
  const push = phone.page.getByRole('switch', { name: 'Push messages on this device' });
  await push.click();
  await expect.poll(subscriptions).toEqual([{ endpoint, account }]);
  await phone.page.getByText('1 device of yours gets them.').waitFor();
  expect(await push.isChecked()).toBe(true);
  const settings = await server.query('SELECT push_enabled FROM reminder_settings');
  expect(settings).toEqual([{ push_enabled: true }]);
  await push.click();
  await expect.poll(subscriptions).toEqual([]);
  await expect.poll(() => push.isChecked()).toBe(false);
});

test('starting the app renews a dropped subscription; signing out ends it and closes the notifications, which name plants', async () => {
  const endpoint = await fakePushService(phone);
  const subscriptions = () => server.query('SELECT endpoint, account FROM push_subscriptions');
  await phone.page.goto('/dashboard');
  expect(await subscriptions()).toEqual([]);
  // As if this browser had been subscribed before and had dropped the subscription.
  await putRows(phone.page, 'meta', [{ id: 'push-endpoint', value: `${endpoint}-before` }]);
  await phone.page.goto('/dashboard');
  await expect.poll(subscriptions, { timeout: 40_000 }).toEqual([{ endpoint, account }]);
  await deliver(digest(account, await named('Fernanda')));
  await phone.page.getByRole('button', { name: 'User menu' }).click();
  await phone.page.getByRole('button', { name: 'Sign Out' }).click();
  await phone.page.waitForURL('**/signin');
  await expect.poll(subscriptions).toEqual([]);
  await expect.poll(shown).toEqual([]);
  await signIn(phone.page);
});
