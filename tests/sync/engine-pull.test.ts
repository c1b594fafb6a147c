import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { readStatus } from '#data/sync-status.ts';
import { addWatering } from '#data/waterings.ts';
import { runningClock } from '../support/clock.ts';
import { type Device, openDevice } from '../support/device.ts';
import { answers } from '../support/network.ts';
import {
  type Account,
  addPlant,
  bearer,
  openTestServer,
  type TestServer,
} from '../support/server.ts';

let server: TestServer;
let account: Account;
let device: Device;
beforeAll(async () => {
  server = await openTestServer(runningClock());
});
afterAll(() => server.close());
beforeEach(async () => {
  account = await server.addAccount();
  device = openDevice(server, account);
});
afterEach(() => device.close());

async function report(plantId: string, minutesAgo: number, values: object): Promise<void> {
  const timestamp = new Date(Date.now() - minutesAgo * 60_000).toISOString();
  const answer = await server.app.inject({
    method: 'POST',
    url: '/api/logs',
    headers: bearer(account),
    payload: { plant_id: plantId, timestamp, ...values },
  });
  expect(answer.statusCode).toBe(201);
}

test('a first pull brings plants, latest values and the newest 24 readings', async () => {
  const { id } = await addPlant(server, account);
  for (let i = 0; i < 30; i++) await report(id, 30 - i, { soil_humidity: 40 + i });
  await device.pull();
  const row = await device.db.readings.get(id);
  expect(row?.latest.latest_soil_humidity).toBe(69);
  expect(row?.series.soil_humidity).toEqual(Array.from({ length: 24 }, (_, i) => 69 - i));
  expect((await device.plant(id))?.record).not.toHaveProperty('latest_soil_humidity');
});

test('a pull when nothing changed is two answers without a body and writes no row', async () => {
  const { id } = await addPlant(server, account);
  await report(id, 1, { soil_humidity: 40 });
  await device.pull();
  const before = [await device.db.plants.toArray(), await device.db.readings.toArray()];
  device.network.sent.length = 0;
  await device.pull();
  expect(device.network.sent.map(({ status }) => status)).toEqual([304, 304]);
  expect([await device.db.plants.toArray(), await device.db.readings.toArray()]).toEqual(before);
});

test('a new reading asks for what came since, of its plant alone, and rewrites no plant', async () => {
  const { id } = await addPlant(server, account);
  const { id: other } = await addPlant(server, account);
  for (const plant of [id, other]) await report(plant, 10, { soil_humidity: 40 });
  await device.pull();
  const plants = await device.db.plants.toArray();
  device.network.sent.length = 0;
  await report(id, 1, { soil_humidity: 39 });
  await device.pull();
  const asked = device.network.sent.filter(({ url }) => url.includes('/logs/'));
  expect(asked).toHaveLength(1);
  expect(asked[0]?.url.startsWith(`/api/logs/plant/${id}?from=`)).toBe(true);
  expect((await device.db.readings.get(id))?.series.soil_humidity).toEqual([39, 40]);
  expect(await device.db.plants.toArray()).toEqual(plants);
});

test('what a sensor did not measure stays unknown and is never zero', async () => {
  const { id } = await addPlant(server, account);
  await report(id, 1, { temperature: 21 });
  await device.pull();
  const row = await device.db.readings.get(id);
  expect(row?.latest.latest_soil_humidity).toBeNull();
  expect(row?.series.soil_humidity).toEqual([null]);
});

test('a pull never hides a watering that still waits', async () => {
  const { id } = await addPlant(server, account);
  await device.pull();
  const tapped = device.now();
  await addWatering(device.db, id, tapped);
  await addPlant(server, account, { nickname: 'Another' });
  await device.pull();
  const plant = await device.plant(id);
  expect(plant?.record.last_watered).toBe(new Date(tapped).toISOString());
  expect(plant?.waiting).toHaveLength(1);
});

test('a plant deleted elsewhere goes, with its readings', async () => {
  const { id } = await addPlant(server, account);
  const { id: kept } = await addPlant(server, account);
  await report(id, 1, { soil_humidity: 40 });
  await device.pull();
  await server.app.inject({ method: 'DELETE', url: `/api/plants/${id}`, headers: bearer(account) });
  await device.pull();
  expect(await device.db.plants.toCollection().primaryKeys()).toEqual([kept]);
  expect(await device.db.readings.count()).toBe(0);
});

test('an empty list over a garden is believed only the second time', async () => {
  await addPlant(server, account);
  await device.pull();
  device.network.failNext(/plants$/, answers(200, []));
  await device.pull();
  expect(await device.db.plants.count()).toBe(1);
  device.network.failNext(/plants$/, answers(200, []));
  device.network.failNext(/plants$/, answers(200, []));
  await device.pull();
  expect(await device.db.plants.count()).toBe(0);
});

test.each([
  ['a page instead of data', 200, '<html>Sign in to this Wi-Fi</html>'],
  ['a list of something else', 200, [{ name: 'no id' }]],
  ['a gateway error', 502, '<html>Bad gateway</html>'],
])('%s leaves what is there alone', async (_, status, body) => {
  await addPlant(server, account);
  await device.pull();
  const before = await device.db.plants.toArray();
  device.network.failNext(/plants$/, answers(status, body));
  expect(await device.pull()).toBe('failed');
  expect(await device.db.plants.toArray()).toEqual(before);
  expect(await readStatus(device.db)).toMatchObject({ reach: 'unreachable' });
});

test('a refused pull is told in the words of the server', async () => {
  device.network.failNext(/plants$/, answers(500, { message: 'Out of order' }));
  expect(await device.pull()).toBe('failed');
  expect(await readStatus(device.db)).toMatchObject({
    pulledAt: null,
    pullError: 'Out of order',
  });
});

test("one plant's readings that fail leave the others alone and come with the next pull", async () => {
  const { id } = await addPlant(server, account);
  const { id: other } = await addPlant(server, account);
  for (const plant of [id, other]) await report(plant, 1, { soil_humidity: 40 });
  device.network.failNext(new RegExp(`logs/plant/${id}`), answers(500, { message: 'oops' }));
  expect(await device.pull()).toBe('done');
  expect((await device.db.readings.get(other))?.series.timestamp).toHaveLength(1);
  expect((await device.db.readings.get(id))?.series.timestamp).toEqual([]);
  await device.pull();
  expect((await device.db.readings.get(id))?.series.timestamp).toHaveLength(1);
});

test('a session that ended is told apart from a network that is away', async () => {
  await server.db.pool.query('DELETE FROM sessions WHERE user_id = $1', [account.userId]);
  expect(await device.pull()).toBe('unauthorized');
  device.network.isDown = true;
  expect(await device.pull()).toBe('failed');
});
