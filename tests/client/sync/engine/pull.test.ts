import { expect, test } from 'vitest';
import { addWatering } from '#client/store/outbox/waterings.ts';
import { prioritizePlant } from '#client/store/readings.ts';
import { readStatus } from '#client/store/sync-status.ts';
import { pull } from '#client/sync/pull/pull.ts';
import { advanceGeneration } from '#client/sync/rows/list-state.ts';
import { delayedResponse, fixedResponse } from '../../../support/device/network.ts';
import { addPlant, bearer } from '../../../support/server/server.ts';
import { setUpEngine } from '../support/set-up-engine.ts';

const engine = setUpEngine();

async function report(plantId: string, minutesAgo: number, values: object): Promise<void> {
  const timestamp = new Date(Date.now() - minutesAgo * 60_000).toISOString();
  const response = await engine.server.app.inject({
    method: 'POST',
    url: '/api/logs',
    headers: bearer(engine.account),
    payload: { plant_id: plantId, timestamp, ...values },
  });
  expect(response.statusCode).toBe(201);
}

test('a first pull fetches plants, latest values and the newest 24 readings', async () => {
  const { id } = await addPlant(engine.server, engine.account);
  for (let i = 0; i < 30; i++) await report(id, 30 - i, { soil_humidity: 40 + i });
  await engine.device.pull();
  expect((await engine.device.db.latest.get(id))?.values.latest_soil_humidity).toBe(69);
  const row = await engine.device.db.readings.get(id);
  expect(row?.series.soil_humidity).toEqual(Array.from({ length: 24 }, (_, i) => 69 - i));
  expect((await engine.device.plant(id))?.record).not.toHaveProperty('latest_soil_humidity');
});

test('a pull when nothing changed gets two responses without a body and writes no row', async () => {
  const { id } = await addPlant(engine.server, engine.account);
  await report(id, 1, { soil_humidity: 40 });
  await engine.device.pull();
  const before = [
    await engine.device.db.plants.toArray(),
    await engine.device.db.latest.toArray(),
    await engine.device.db.readings.toArray(),
  ];
  engine.device.network.sent.length = 0;
  await engine.device.pull();
  expect(engine.device.network.sent.map(({ status }) => status)).toEqual([304, 304]);
  expect([
    await engine.device.db.plants.toArray(),
    await engine.device.db.latest.toArray(),
    await engine.device.db.readings.toArray(),
  ]).toEqual(before);
});

test('if nothing has changed, a pull gets two 304 responses, even in a garden without sensors', async () => {
  await addPlant(engine.server, engine.account);
  await engine.device.pull();
  engine.device.network.sent.length = 0;
  await engine.device.pull();
  expect(engine.device.network.sent.map(({ status }) => status)).toEqual([304, 304]);
});

test('a new reading arrives with the list of plants, without a request for logs, and no plant row is rewritten', async () => {
  const { id } = await addPlant(engine.server, engine.account);
  const { id: other } = await addPlant(engine.server, engine.account);
  for (const plant of [id, other]) await report(plant, 10, { soil_humidity: 40 });
  await engine.device.pull();
  const plants = await engine.device.db.plants.toArray();
  engine.device.network.sent.length = 0;
  await report(id, 1, { soil_humidity: 39 });
  await engine.device.pull();
  expect(engine.device.network.sent.filter(({ url }) => url.includes('/logs/'))).toEqual([]);
  expect((await engine.device.db.latest.get(id))?.values.latest_soil_humidity).toBe(39);
  expect((await engine.device.db.readings.get(id))?.series.soil_humidity).toEqual([39, 40]);
  expect(await engine.device.db.plants.toArray()).toEqual(plants);
});

test('if a delta may lack readings of a plant, newer logs are requested for that plant alone', async () => {
  const { id } = await addPlant(engine.server, engine.account);
  const { id: other } = await addPlant(engine.server, engine.account);
  for (const plant of [id, other]) await report(plant, 60, { soil_humidity: 90 });
  await engine.device.pull();
  engine.device.network.sent.length = 0;
  for (let i = 0; i < 30; i++) await report(id, 30 - i, { soil_humidity: 40 + i });
  await report(other, 1, { soil_humidity: 80 });
  await engine.device.pull();
  const logs = engine.device.network.sent.filter(({ url }) => url.includes('/logs/'));
  expect(logs.map(({ url }) => url.startsWith(`/api/logs/plant/${id}?from=`))).toEqual([true]);
  const row = await engine.device.db.readings.get(id);
  expect(row?.series.soil_humidity).toEqual([...Array.from({ length: 30 }, (_, i) => 69 - i), 90]);
  const otherRow = await engine.device.db.readings.get(other);
  expect(otherRow?.series.soil_humidity).toEqual([80, 90]);
});

test('a reading that is older than the newest stored one is inserted in time order', async () => {
  const { id } = await addPlant(engine.server, engine.account);
  for (const minutesAgo of [30, 10]) await report(id, minutesAgo, { soil_humidity: minutesAgo });
  await engine.device.pull();
  engine.device.network.sent.length = 0;
  await report(id, 20, { soil_humidity: 20 });
  await engine.device.pull();
  expect((await engine.device.db.readings.get(id))?.series.soil_humidity).toEqual([10, 20, 30]);
  expect((await engine.device.db.latest.get(id))?.values.latest_soil_humidity).toBe(10);
});

/** Reports one reading for each number in `minutesAgo`: that many minutes old, and with the number as its value. */
async function reportAll(plantId: string, minutesAgo: number[]): Promise<void> {
  for (const minutes of minutesAgo) await report(plantId, minutes, { soil_humidity: minutes });
}

const newest24 = async (plantId: string) =>
  (await engine.device.db.readings.get(plantId))?.series.soil_humidity.slice(0, 24);

const minutes = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => from + i);

test('the newest 24 readings are complete even if more readings arrive late than a delta can contain', async () => {
  const { id } = await addPlant(engine.server, engine.account);
  await reportAll(id, [...minutes(1, 5), ...minutes(51, 70)]);
  await engine.device.pull();
  await reportAll(id, minutes(6, 35));
  await engine.device.pull();
  expect(await newest24(id)).toEqual(minutes(1, 24));
});

test('late readings that arrive together with a resend of the newest reading are stored', async () => {
  const { id } = await addPlant(engine.server, engine.account);
  await reportAll(id, [3, ...minutes(51, 70)]);
  await engine.device.pull();
  const again = (await engine.device.db.readings.get(id))?.series.timestamp[0];
  await report(id, 3, { soil_humidity: 3, timestamp: again });
  await reportAll(id, minutes(4, 33));
  await engine.device.pull();
  expect(await newest24(id)).toEqual(minutes(3, 26));
});

test('after the first pull of a session the list with readings is requested alone', async () => {
  await addPlant(engine.server, engine.account);
  await pull(engine.device.context, true);
  await addPlant(engine.server, engine.account, { nickname: 'New' });
  engine.device.network.sent.length = 0;
  expect(await pull(engine.device.context, false)).toEqual({ type: 'done' });
  expect(engine.device.network.sent.map(({ url, status }) => [url, status])).toEqual([
    ['/api/plants/with-latest-readings', 226],
  ]);
  expect(await engine.device.db.plants.count()).toBe(2);
});

test('a value that a sensor did not measure is null and never 0', async () => {
  const { id } = await addPlant(engine.server, engine.account);
  await report(id, 1, { temperature: 21 });
  await engine.device.pull();
  expect((await engine.device.db.latest.get(id))?.values.latest_soil_humidity).toBeNull();
  const row = await engine.device.db.readings.get(id);
  expect(row?.series.soil_humidity).toEqual([null]);
});

test('a pull never hides a watering that still waits', async () => {
  const { id } = await addPlant(engine.server, engine.account);
  await engine.device.pull();
  const tapped = engine.device.now();
  await addWatering(engine.device.db, id, tapped);
  await addPlant(engine.server, engine.account, { nickname: 'Another' });
  await engine.device.pull();
  const plant = await engine.device.plant(id);
  expect(plant?.record.last_watered).toBe(new Date(tapped).toISOString());
  expect(plant?.waiting).toHaveLength(1);
});

test('a plant deleted elsewhere is removed with its readings', async () => {
  const { id } = await addPlant(engine.server, engine.account);
  const { id: kept } = await addPlant(engine.server, engine.account);
  await report(id, 1, { soil_humidity: 40 });
  await engine.device.pull();
  await engine.elsewhere('DELETE', `/api/plants/${id}`);
  await engine.device.pull();
  expect(await engine.device.db.plants.toCollection().primaryKeys()).toEqual([kept]);
  expect(await engine.device.db.readings.count()).toBe(0);
  expect(await engine.device.db.latest.toCollection().primaryKeys()).toEqual([kept]);
});

test('an empty list deletes stored plants only when it is received a second time', async () => {
  const { network, db } = engine.device;
  await addPlant(engine.server, engine.account);
  await engine.device.pull();
  const emptyLists = () => {
    network.failNext(/plants$/, fixedResponse(200, []));
    network.failNext(/with-latest-readings$/, fixedResponse(200, []));
  };
  emptyLists();
  await engine.device.pull();
  expect(await db.plants.count()).toBe(1);
  emptyLists();
  await engine.device.pull();
  expect(await db.plants.count()).toBe(0);
});

test('a change made while a first pull requests its two lists arrives with the next delta', async () => {
  const { id } = await addPlant(engine.server, engine.account);
  const { fault, arrived, release } = delayedResponse();
  engine.device.network.failNext(/plants$/, fault);
  engine.device.network.failNext(/with-latest-readings$/, async (request) => {
    await arrived;
    await engine.elsewhere('POST', `/api/plants/${id}/water`);
    release();
    return request();
  });
  await pull(engine.device.context, true);
  await pull(engine.device.context, false);
  const row = await engine.device.db.plants.get(id);
  expect(row?.record.last_watered).toEqual(expect.any(String));
});

test.each([
  ['a page instead of data', 200, '<html>Sign in to this Wi-Fi</html>'],
  ['a list of something else', 200, [{ name: 'no id' }]],
  ['a gateway error', 502, '<html>Bad gateway</html>'],
])('%s does not change the stored rows', async (_, status, body) => {
  await addPlant(engine.server, engine.account);
  await engine.device.pull();
  const before = await engine.device.db.plants.toArray();
  engine.device.network.failNext(/plants$/, fixedResponse(status, body));
  expect(await engine.device.pull()).toBe('failed');
  expect(await engine.device.db.plants.toArray()).toEqual(before);
  expect(await readStatus(engine.device.db)).toMatchObject({ connectivity: 'unreachable' });
});

test("after a failed pull the sync status contains the server's message, and each failure updates the time of the failure", async () => {
  const statusAfterFailure = async () => {
    engine.device.network.failNext(/plants$/, fixedResponse(500, { message: 'Out of order' }));
    expect(await engine.device.pull()).toBe('failed');
    return readStatus(engine.device.db);
  };
  const first = await statusAfterFailure();
  expect(first).toMatchObject({ pulledAt: null, pullError: 'Out of order' });
  engine.device.aheadMs += 60_000;
  const second = await statusAfterFailure();
  expect(second.pullFailedAt).toBeGreaterThan(Number(first.pullFailedAt));
});

test('a pull fails, and stores when it failed, if rows are written during each of its three requests for the lists', async () => {
  await addPlant(engine.server, engine.account);
  const { db, network } = engine.device;
  for (let tries = 0; tries < 3; tries += 1) {
    network.failNext(/with-readings|latest/, async (request) => {
      const response = await request();
      await db.transaction('rw', db.syncState, () => advanceGeneration(db));
      return response;
    });
  }
  expect(await engine.device.pull()).toBe('failed');
  expect(await readStatus(db)).toMatchObject({ pullFailedAt: expect.any(Number), pulledAt: null });
  expect(await db.plants.count()).toBe(0);
  expect(await engine.device.pull()).toBe('done');
});

test("if the request for one plant's readings fails, the others get theirs, and the next pull repeats the request", async () => {
  const { id } = await addPlant(engine.server, engine.account);
  const { id: other } = await addPlant(engine.server, engine.account);
  for (const plant of [id, other]) await report(plant, 1, { soil_humidity: 40 });
  engine.device.network.failNext(
    new RegExp(`logs/plant/${id}`),
    fixedResponse(500, { message: 'oops' }),
  );
  expect(await engine.device.pull()).toBe('done');
  expect((await engine.device.db.readings.get(other))?.series.timestamp).toHaveLength(1);
  expect((await engine.device.db.readings.get(id))?.series.timestamp).toBeUndefined();
  await engine.device.pull();
  expect((await engine.device.db.readings.get(id))?.series.timestamp).toHaveLength(1);
});

test('a pull distinguishes an ended session from a missing network', async () => {
  await engine.server.db.pool.query('DELETE FROM sessions WHERE user_id = $1', [
    engine.account.userId,
  ]);
  expect(await engine.device.pull()).toBe('unauthorized');
  engine.device.network.isDown = true;
  expect(await engine.device.pull()).toBe('failed');
});

test('readings deleted to free storage are pulled again, even when nothing has changed', async () => {
  const { device } = engine;
  const { id } = await addPlant(engine.server, engine.account);
  await report(id, 1, { soil_humidity: 40 });
  await device.pull();
  await device.db.readings.clear();
  await device.db.latest.clear();
  await device.pull();
  expect((await device.db.readings.get(id))?.series.soil_humidity).toEqual([40]);
});

test('if latest values are deleted to free storage while a pull requests a delta, it requests whole lists next', async () => {
  const { device } = engine;
  const { id } = await addPlant(engine.server, engine.account);
  const other = await addPlant(engine.server, engine.account, { nickname: 'Ivy' });
  for (const one of [id, other.id]) await report(one, 2, { soil_humidity: 40 });
  await device.pull();
  await engine.elsewhere('POST', `/api/plants/${id}/water`);
  const { fault, arrived, release } = delayedResponse();
  device.network.failNext(/GET .*plants/, fault);
  const pulled = pull(device.context, false);
  await arrived;
  await Promise.all([device.db.latest.clear(), device.db.readings.clear()]);
  release();
  expect(await pulled).toEqual({ type: 'done' });
  expect((await device.db.latest.toCollection().primaryKeys()).sort()).toEqual(
    [id, other.id].sort(),
  );
  expect((await device.db.readings.get(other.id))?.series.soil_humidity).toEqual([40]);
});

test('readings are requested in the order of the plants on screen', async () => {
  const { device } = engine;
  const ids: string[] = [];
  for (let i = 0; i < 8; i++) ids.push((await addPlant(engine.server, engine.account)).id);
  for (const id of [...ids].reverse()) await report(id, 1, { soil_humidity: 40 });
  await device.pull();
  const asked = device.network.sent.filter(({ url }) => url.includes('/logs/'));
  expect(asked.map(({ url }) => url.slice(16, 52))).toEqual(ids);
});

test('readings of a plant that is opened during a pull are requested next', async () => {
  const { device } = engine;
  const ids: string[] = [];
  for (let i = 0; i < 14; i++) ids.push((await addPlant(engine.server, engine.account)).id);
  for (const id of ids) await report(id, 1, { soil_humidity: 40 });
  const [before = '', opened = ''] = ids.slice(-2);
  await prioritizePlant(device.db, before);
  device.network.failNext(/logs/, async (request) => {
    await prioritizePlant(device.db, opened);
    return request();
  });
  await device.pull();
  const asked = device.network.sent
    .filter(({ url }) => url.includes('/logs/'))
    .map(({ url }) => url.slice(16, 52));
  expect(asked[0]).toBe(before);
  // The first six were requested at the same time.
  expect(asked.indexOf(opened)).toBeLessThanOrEqual(7);
  expect(asked).toHaveLength(14);
});

test('after a 429 no more readings are requested', async () => {
  const { device } = engine;
  for (let i = 0; i < 12; i++) {
    const { id } = await addPlant(engine.server, engine.account);
    await report(id, 1, { soil_humidity: 40 });
  }
  for (let i = 0; i < 6; i++) {
    device.network.failNext(/logs/, fixedResponse(429, { message: 'Slow down' }));
  }
  expect(await device.pull()).toBe('done');
  const asked = device.network.sent.filter(({ url }) => url.includes('/logs/')).length;
  expect(asked).toBeGreaterThan(0);
  expect(asked).toBeLessThanOrEqual(6);
});

test("a response that arrives after another call's 401 is not stored", async () => {
  const { device } = engine;
  const { id: slow } = await addPlant(engine.server, engine.account);
  const { id: rejected } = await addPlant(engine.server, engine.account);
  for (const plant of [slow, rejected]) await report(plant, 1, { soil_humidity: 40 });
  const delayed = delayedResponse();
  device.network.failNext(new RegExp(`logs/plant/${slow}`), delayed.fault);
  device.network.failNext(new RegExp(`logs/plant/${rejected}`), async (request) => {
    await delayed.arrived;
    return fixedResponse(401, { message: 'Signed out' })(request);
  });
  expect(await device.pull()).toBe('unauthorized');
  delayed.release();
  await expect.poll(() => device.network.sent.every(({ status }) => status !== null)).toBe(true);
  device.network.sent.length = 0;
  expect(await device.pull()).toBe('done');
  const requested = device.network.sent.filter(({ url }) => url.includes('/logs/'));
  expect(requested.map(({ url }) => url.slice(16, 52))).toEqual([slow, rejected]);
});

test('a pull that ends after its tab stopped leading is not stored', async () => {
  const { device } = engine;
  await addPlant(engine.server, engine.account);
  const delayed = delayedResponse();
  device.network.failNext(/plants$/, delayed.fault);
  const abort = new AbortController();
  const pulling = pull({ ...device.context, signal: abort.signal });
  await delayed.arrived;
  abort.abort();
  delayed.release();
  expect(await pulling).toEqual({ type: 'stopped' });
  expect(await device.db.plants.count()).toBe(0);
});
