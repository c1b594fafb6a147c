import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { addWatering } from '#data/waterings.ts';
import { runningClock } from '../support/clock.ts';
import { type Device, openDevice } from '../support/device.ts';
import { answers, heldAnswer, lostAnswer, lostRequest } from '../support/network.ts';
import { type Account, addPlant, openTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let account: Account;
let device: Device;
let fern: string;
let aloe: string;
beforeAll(async () => {
  server = await openTestServer(runningClock());
});
afterAll(() => server.close());
beforeEach(async () => {
  account = await server.addAccount();
  fern = (await addPlant(server, account, { nickname: 'Fern' })).id;
  aloe = (await addPlant(server, account, { nickname: 'Aloe' })).id;
  device = openDevice(server, account);
  await device.pull();
  device.network.sent.length = 0;
});
afterEach(() => device.close());

const minuteMs = 60_000;

/** Moments (ms) at which the server says the plant was watered. */
async function wateringsOf(plantId: string): Promise<number[]> {
  const { rows } = await server.db.pool.query<{ watered_at: Date }>(
    'SELECT watered_at FROM waterings WHERE plant_id = $1 ORDER BY id',
    [plantId],
  );
  return rows.map((row) => row.watered_at.getTime());
}

test('a watering reaches the server once, with the moment of the tap', async () => {
  const tapped = device.now() - 90 * minuteMs;
  await addWatering(device.db, fern, tapped);
  await device.push();
  await device.push();
  expect(await wateringsOf(fern)).toEqual([tapped]);
  expect(device.network.sent).toHaveLength(1);
  expect(await device.db.outbox.count()).toBe(0);
});

test("the answer's last and next watering replace the local ones", async () => {
  const tapped = device.now();
  await addWatering(device.db, fern, tapped);
  expect((await device.plant(fern))?.waiting).toHaveLength(1);
  await device.push();
  const plant = await device.plant(fern);
  expect(plant?.waiting).toEqual([]);
  expect(plant?.record.last_watered).toBe(new Date(tapped).toISOString());
  expect(plant?.record.next_watering_date).toBe(new Date(tapped + 3 * 86_400_000).toISOString());
});

test.each([
  ['request', lostRequest],
  ['answer', lostAnswer],
])('a lost %s leads to the same bytes again and to one watering', async (_, fault) => {
  await addWatering(device.db, fern, device.now());
  device.network.failNext(/water/, fault);
  await device.push();
  expect(await device.db.outbox.toArray()).toMatchObject([{ state: 'uncertain', attempts: 1 }]);
  device.aheadMs += 2 * minuteMs;
  await device.push();
  const [first, second] = device.network.sent;
  expect({ ...second, status: null }).toEqual({ ...first, status: null });
  expect(await wateringsOf(fern)).toHaveLength(1);
  expect(await device.db.outbox.count()).toBe(0);
});

test('a crash after the server acted leads to the same bytes again and to one watering', async () => {
  await addWatering(device.db, fern, device.now());
  const held = heldAnswer();
  device.network.failNext(/water/, held.fault);
  const interrupted = device.push();
  await held.arrived;
  const reborn = await device.reborn();
  await reborn.push();
  expect(reborn.network.sent.map(({ url, key }) => ({ url, key }))).toEqual(
    device.network.sent.map(({ url, key }) => ({ url, key })),
  );
  expect(await wateringsOf(fern)).toHaveLength(1);
  held.release();
  await interrupted;
  expect(await device.db.outbox.count()).toBe(0);
});

test('the late answer of an attempt that no longer counts changes nothing', async () => {
  await addWatering(device.db, fern, device.now());
  const held = heldAnswer();
  device.network.failNext(/water/, held.fault);
  const interrupted = device.push();
  await held.arrived;
  const reborn = await device.reborn();
  reborn.network.failNext(/water/, lostRequest);
  await reborn.push();
  const waiting = await device.db.outbox.toArray();
  expect(waiting).toMatchObject([{ state: 'uncertain', attempts: 2 }]);
  held.release();
  await interrupted;
  expect(await device.db.outbox.toArray()).toEqual(waiting);
});

test('a server in trouble is asked again later, and other plants do not wait for it', async () => {
  await addWatering(device.db, fern, device.now());
  await addWatering(device.db, aloe, device.now());
  device.network.failNext(/water/, answers(500, { message: 'oops' }, { 'retry-after': '120' }));
  const result = await device.push();
  expect(await wateringsOf(aloe)).toHaveLength(1);
  expect(await wateringsOf(fern)).toEqual([]);
  expect(result.dueAt).toBeGreaterThan(device.now() + 100_000);
  device.aheadMs += 121_000;
  await device.push();
  expect(await wateringsOf(fern)).toHaveLength(1);
});

test('without a network one try is enough to know, and nothing is lost', async () => {
  await addWatering(device.db, fern, device.now());
  await addWatering(device.db, aloe, device.now());
  device.network.isDown = true;
  const result = await device.push();
  expect(device.network.sent).toHaveLength(1);
  expect(result.pausedUntil).toBeGreaterThan(device.now());
  expect(await device.db.outbox.count()).toBe(2);
});

test('too many requests make the whole queue wait as long as the server asks', async () => {
  await addWatering(device.db, fern, device.now());
  await addWatering(device.db, aloe, device.now());
  device.network.failNext(/water/, answers(429, { message: 'slow down' }, { 'retry-after': '30' }));
  const result = await device.push();
  expect(device.network.sent).toHaveLength(1);
  expect(result.pausedUntil).toBeGreaterThan(device.now() + 25_000);
  await device.push();
  expect(await wateringsOf(fern)).toHaveLength(1);
  expect(await wateringsOf(aloe)).toHaveLength(1);
});

test('a session that ended stops everything and keeps the queue', async () => {
  await addWatering(device.db, fern, device.now());
  await server.db.pool.query('DELETE FROM sessions WHERE user_id = $1', [account.userId]);
  expect(await device.push()).toMatchObject({ unauthorized: true });
  expect(await device.db.outbox.count()).toBe(1);
  expect(await wateringsOf(fern)).toEqual([]);
});

test('a watering of a plant that was deleted elsewhere is kept aside and holds up nothing', async () => {
  await addWatering(device.db, fern, device.now());
  await addWatering(device.db, aloe, device.now());
  await server.db.pool.query('DELETE FROM plants WHERE id = $1', [fern]);
  await device.push();
  expect(await device.db.outbox.toArray()).toMatchObject([
    { entity: fern, state: 'parked', lastError: { message: 'Plant not found', status: 404 } },
  ]);
  expect(await wateringsOf(aloe)).toHaveLength(1);
});

test('what the server refuses is kept with its words and is not shown as done', async () => {
  await addWatering(device.db, fern, device.now());
  device.network.failNext(/water/, answers(422, { message: 'No water today' }));
  await device.push();
  const plant = await device.plant(fern);
  expect(plant?.parked).toMatchObject([{ lastError: { message: 'No water today' } }]);
  expect(plant?.record.last_watered).toBeNull();
});

test('a captive portal that answers 200 with a page is no answer', async () => {
  await addWatering(device.db, fern, device.now());
  device.network.failNext(/water/, answers(200, '<html>Please accept our terms</html>'));
  await device.push();
  expect(await device.db.outbox.toArray()).toMatchObject([{ state: 'uncertain' }]);
  device.aheadMs += 2 * minuteMs;
  await device.push();
  expect(await wateringsOf(fern)).toHaveLength(1);
});
