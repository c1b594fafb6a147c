import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { requestSync } from '#data/sync-status.ts';
import { addWatering } from '#data/waterings.ts';
import { createSync, type Sync } from '#sync/create-sync.ts';
import { runningClock } from '../support/clock.ts';
import { type Device, openDevice } from '../support/device.ts';
import { createLocks } from '../support/locks.ts';
import { answers, lostRequest } from '../support/network.ts';
import { type Account, addPlant, openTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let account: Account;
let device: Device;
let fern: string;
let locks: ReturnType<typeof createLocks>;
let tabs: Sync[];
let refusals: number;
beforeAll(async () => {
  server = await openTestServer(runningClock());
});
afterAll(() => server.close());
beforeEach(async () => {
  account = await server.addAccount();
  fern = (await addPlant(server, account)).id;
  device = openDevice(server, account);
  locks = createLocks();
  tabs = [];
  refusals = 0;
});
afterEach(async () => {
  await Promise.all(tabs.map((tab) => tab.stop()));
  await device.close();
});

/** The engine of one more tab of the device. */
function openTab(): Sync {
  const tab = createSync({
    ...device.context,
    holdLock: locks.hold,
    onUnauthorized: () => {
      refusals += 1;
    },
  });
  tabs.push(tab);
  return tab;
}

async function wateringCount(): Promise<number> {
  const result = await server.db.pool.query('SELECT 1 FROM waterings WHERE plant_id = $1', [fern]);
  return result.rowCount ?? 0;
}

const sentWaterings = () => device.network.sent.filter(({ url }) => url.includes('/water'));
const plantsHere = () => device.db.plants.count();
const opsHere = () => device.db.outbox.count();

test('a tab in sight pulls by itself and sends what is added later', async () => {
  openTab().setVisible(true);
  await expect.poll(plantsHere).toBe(1);
  await addWatering(device.db, fern, device.now());
  await expect.poll(wateringCount).toBe(1);
  await expect.poll(opsHere).toBe(0);
});

test('of several tabs one sends; when it goes, another takes over', async () => {
  const [first, second] = [openTab(), openTab()];
  first.setVisible(true);
  await expect.poll(plantsHere).toBe(1);
  second.setVisible(true);
  await addWatering(device.db, fern, device.now() - 3_600_000);
  await expect.poll(opsHere).toBe(0);
  expect(locks.held()).toBe(1);
  expect(sentWaterings()).toHaveLength(1);
  first.leave();
  await addWatering(device.db, fern, device.now());
  await expect.poll(wateringCount).toBe(2);
  expect(sentWaterings()).toHaveLength(2);
});

test('a hidden tab with nothing to send stops leading, and leads again in sight', async () => {
  const tab = openTab();
  tab.setVisible(true);
  await expect.poll(plantsHere).toBe(1);
  tab.setVisible(false);
  await expect.poll(locks.held).toBe(0);
  tab.setVisible(true);
  await expect.poll(locks.held).toBe(1);
});

test('a hidden tab still sends what waits', async () => {
  const tab = openTab();
  tab.setVisible(true);
  await expect.poll(plantsHere).toBe(1);
  device.network.failNext(/water/, lostRequest);
  await addWatering(device.db, fern, device.now());
  await expect.poll(() => sentWaterings().length).toBe(1);
  tab.setVisible(false);
  await expect.poll(wateringCount, { timeout: 5_000 }).toBe(1);
  await expect.poll(locks.held).toBe(0);
});

test('after a failure it tries again by itself, without any event', async () => {
  device.network.isDown = true;
  openTab().setVisible(true);
  await expect.poll(() => device.network.sent.length).toBeGreaterThan(1);
  device.network.isDown = false;
  await expect.poll(plantsHere, { timeout: 10_000 }).toBe(1);
});

test('asking for a round forgets a long backoff', async () => {
  openTab().setVisible(true);
  await expect.poll(plantsHere).toBe(1);
  device.network.failNext(/water/, answers(500, { message: 'oops' }, { 'retry-after': '3600' }));
  await addWatering(device.db, fern, device.now());
  await expect.poll(() => sentWaterings().length).toBe(1);
  await expect.poll(async () => (await device.db.outbox.toArray())[0]?.state).toBe('uncertain');
  await requestSync(device.db);
  await expect.poll(wateringCount).toBe(1);
});

test('a refused session stops the engine, tells once, and keeps the queue', async () => {
  const tab = openTab();
  tab.setVisible(true);
  await expect.poll(plantsHere).toBe(1);
  await server.db.pool.query('DELETE FROM sessions WHERE user_id = $1', [account.userId]);
  await addWatering(device.db, fern, device.now());
  await expect.poll(() => refusals).toBe(1);
  await expect.poll(locks.held).toBe(0);
  const sent = device.network.sent.length;
  tab.wantRound();
  await requestSync(device.db);
  expect(await opsHere()).toBe(1);
  expect(device.network.sent).toHaveLength(sent);
});

test('a stopped engine sends nothing more', async () => {
  const tab = openTab();
  tab.setVisible(true);
  await expect.poll(plantsHere).toBe(1);
  await tab.stop();
  const sent = device.network.sent.length;
  await addWatering(device.db, fern, device.now());
  tab.wantRound();
  expect(device.network.sent).toHaveLength(sent);
  expect(await opsHere()).toBe(1);
});
