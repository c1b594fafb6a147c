import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { addWatering } from '#data/waterings.ts';
import { runningClock } from '../support/clock.ts';
import { type Device, openDevice } from '../support/device.ts';
import { type Account, addPlant, openTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let account: Account;
let device: Device;
let fern: string;
beforeAll(async () => {
  server = await openTestServer(runningClock());
});
afterAll(() => server.close());
beforeEach(async () => {
  account = await server.addAccount();
  fern = (await addPlant(server, account, { nickname: 'Fern' })).id;
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

test('a device whose clock is an hour fast still reports when it really was', async () => {
  device.aheadMs = 60 * minuteMs;
  await device.pull();
  const really = Date.now() - 30 * minuteMs;
  await addWatering(device.db, fern, really + device.aheadMs);
  await device.push();
  const [watered = 0] = await wateringsOf(fern);
  expect(Math.abs(watered - really)).toBeLessThan(5_000);
});

test('a device whose clock was set while it was offline reports by the right one', async () => {
  await addWatering(device.db, fern, device.now() + 60 * minuteMs);
  device.aheadMs = 60 * minuteMs;
  await device.push();
  const [watered = 0] = await wateringsOf(fern);
  expect(Math.abs(watered - Date.now())).toBeLessThan(5_000);
  expect(device.network.sent.map(({ status }) => status)).toEqual([422, 200]);
});

test('waterings that lie apart arrive both, in the order of the taps', async () => {
  const [first, second] = [device.now() - 30 * minuteMs, device.now()];
  await addWatering(device.db, fern, first);
  await addWatering(device.db, fern, second);
  await device.push();
  expect(await wateringsOf(fern)).toEqual([first, second]);
});

test('a second tap within ten minutes of an unsent one is the same watering', async () => {
  const first = device.now() - 5 * minuteMs;
  await addWatering(device.db, fern, first);
  await addWatering(device.db, fern, device.now());
  await device.push();
  expect(await wateringsOf(fern)).toEqual([first]);
});
