import { beforeEach, expect, test } from 'vitest';
import { addPlant, changePlant } from '#client/store/outbox/plant-changes.ts';
import { addWatering } from '#client/store/outbox/waterings.ts';
import { readPlants } from '#client/store/plants.ts';
import { pull } from '#client/sync/pull/pull.ts';
import { batchPaths } from '#contract/batch.ts';
import { fixedResponse } from '../../../support/device/network.ts';
import { plantPayload } from '../../../support/factories.ts';
import { addPlant as addServerPlant, bearer } from '../../../support/server/server.ts';
import { operationsIn, setUpEngine } from '../support/set-up-engine.ts';

const engine = setUpEngine();
let fern: string;
let aloe: string;
beforeEach(async () => {
  fern = (await addServerPlant(engine.server, engine.account, { nickname: 'Fern' })).id;
  aloe = (await addServerPlant(engine.server, engine.account, { nickname: 'Aloe' })).id;
  await engine.device.pull();
  engine.device.network.sent.length = 0;
});

const minuteMs = 60_000;
const single = 'POST /api/plants/:id/water 200';
const batch = 'POST /api/batch 200';

/** Taps on Water Now, far enough apart that none is coalesced into another. Resolves to their times. */
async function tap(plantId: string, count: number): Promise<number[]> {
  const first = engine.device.now() - 20 * minuteMs * count;
  const times = Array.from({ length: count }, (_, i) => first + 20 * minuteMs * i);
  for (const time of times) await addWatering(engine.device.db, plantId, time);
  return times;
}

function rename(plantKey: string, nickname: string, base: string) {
  const { db, now } = engine.device;
  return changePlant(db, plantKey, { edits: { nickname }, base: { nickname: base } }, now());
}

/** Sends one op alone. After its response, further ops are sent together. */
async function sendOne(): Promise<void> {
  await addWatering(engine.device.db, aloe, engine.device.now());
  await engine.device.push();
  engine.device.network.sent.length = 0;
}

/** The different requests that were sent under each key, alone or in a batch. */
function sentByKey(): Map<string, Set<string>> {
  const byKey = new Map<string, Set<string>>();
  const note = (key: string, ...request: unknown[]) =>
    byKey.set(key, (byKey.get(key) ?? new Set()).add(JSON.stringify(request)));
  for (const sent of engine.device.network.sent) {
    const { method, url, body, key, ifMatch } = sent;
    if (url === batchPaths.batch) {
      for (const one of operationsIn(sent)) {
        note(one.key, one.method, one.path, one.body ?? null, one.if_match ?? null);
      }
    } else if (key) note(key.replaceAll('"', ''), method, url, JSON.parse(body ?? 'null'), ifMatch);
  }
  return byKey;
}

test('the first of many waterings is sent alone, and after its response the others are sent in batches of at most 50', async () => {
  const { network } = engine.device;
  const times = await tap(fern, 120);
  await engine.device.push();
  expect(engine.requests()).toEqual([single, batch, batch, batch]);
  expect(network.sent.slice(1).map((one) => operationsIn(one).length)).toEqual([50, 50, 19]);
  expect(await engine.wateringsOf(fern)).toEqual(times);
  expect(await engine.device.db.outbox.count()).toBe(0);
});

test.each([404, 405])(
  'a server that responds with %i to a batch gets single calls from then on',
  async (status) => {
    const { network } = engine.device;
    const times = await tap(fern, 3);
    network.failNext(/batch/, fixedResponse(status, { message: 'No' }));
    await engine.device.push();
    expect(engine.requests()).toEqual([single, `POST /api/batch ${status}`, single, single]);
    network.sent.length = 0;
    const others = await tap(aloe, 3);
    await engine.device.push();
    expect(engine.requests()).toEqual([single, single, single]);
    expect(await engine.wateringsOf(fern)).toEqual(times);
    expect(await engine.wateringsOf(aloe)).toEqual(others);
  },
);

test.each([
  [404, 'default backend - 404'],
  [405, '<html>Method not allowed</html>'],
])(
  'after one %i of a proxy to a batch, ops are soon sent in batches again',
  async (status, body) => {
    const times = await tap(fern, 120);
    engine.device.network.failNext(/batch/, fixedResponse(status, body));
    await engine.device.push();
    expect(engine.requests()).toEqual([
      ...[single, `POST /api/batch ${status}`],
      ...[single, batch, batch, batch],
    ]);
    expect(await engine.wateringsOf(fern)).toEqual(times);
  },
);

test('behind a proxy that refuses every batch all ops arrive, and at most one other request per op is sent', async () => {
  const { network, db } = engine.device;
  const times = await tap(fern, 60);
  for (let i = 0; i < 100; i += 1) network.failNext(/batch/, fixedResponse(403, '<html></html>'));
  await engine.device.push();
  expect(await engine.wateringsOf(fern)).toEqual(times);
  expect(await db.outbox.count()).toBe(0);
  expect(engine.requests().length).toBeLessThan(120);
  // After few attempts a batch contains no more than two ops.
  const sizes = network.sent
    .filter(({ url }) => url === batchPaths.batch)
    .map((one) => operationsIn(one).length);
  expect(sizes.slice(0, 6)).toEqual([50, 25, 13, 7, 4, 2]);
  expect(Math.max(...sizes.slice(6))).toBe(2);
});

test('each op of a batch that was partly executed without a response is sent again as the same request, and has one effect', async () => {
  const { device } = engine;
  await sendOne();
  await rename(fern, 'Mine', 'Fern');
  await addPlant(device.db, plantPayload({ nickname: 'New' }), device.now());
  const times = await tap(fern, 2);
  device.network.failNext(/batch/, async () => {
    const operations = device.network.sent.flatMap(operationsIn).slice(0, 3);
    const headers = bearer(engine.account);
    const url = batchPaths.batch;
    await engine.server.app.inject({ method: 'POST', url, headers, payload: { operations } });
    throw new TypeError('the server has crashed');
  });
  await device.push();
  await device.pull();
  device.aheadMs += 2 * minuteMs;
  await device.push();
  const sent = [...sentByKey().values()];
  expect(sent.map(({ size }) => size)).toEqual([1, 1, 1, 1]);
  expect(await device.db.outbox.count()).toBe(0);
  expect(await engine.wateringsOf(fern)).toEqual(times);
  const names = (await engine.serverPlants()).map(({ nickname }) => nickname);
  expect(names).toEqual(['Mine', 'Aloe', 'New']);
});

test('if a batch with a create is executed but gets a 401, a later edit changes that plant and adds no second one', async () => {
  const { device } = engine;
  await sendOne();
  await addPlant(device.db, plantPayload({ nickname: 'New' }), device.now());
  await tap(aloe, 1);
  device.network.failNext(/batch/, async (request) => {
    await request();
    return fixedResponse(401, { message: 'Signed out' })(request);
  });
  expect(await device.push()).toEqual({ type: 'unauthorized' });
  const created = (await readPlants(device.db)).find(({ record }) => record.nickname === 'New');
  await rename(created?.key ?? '', 'Edited', 'New');
  await device.push();
  const names = (await engine.serverPlants()).map(({ nickname }) => nickname);
  expect(names).toEqual(['Fern', 'Aloe', 'Edited']);
  expect(await device.db.outbox.count()).toBe(0);
});

test('after a batch with an outdated edit the next pull fetches only what has changed', async () => {
  const { device } = engine;
  await sendOne();
  await engine.elsewhere('PUT', `/api/plants/${fern}`, plantPayload({ location: 'Attic' }));
  await rename(fern, 'Mine', 'Fern');
  const [watered] = await tap(fern, 1);
  await tap(aloe, 1);
  await device.push();
  // The watering waits for the edit before it.
  expect(engine.requests()).toEqual([batch, batch]);
  expect(await engine.wateringsOf(fern)).toEqual([watered]);
  expect(await engine.serverPlants()).toMatchObject([{ nickname: 'Mine', location: 'Attic' }, {}]);
  device.network.sent.length = 0;
  await pull(device.context, false);
  expect(engine.requests()).toEqual(['GET /api/plants/with-latest-readings 226']);
});

test('waterings behind one that is rejected with 404 are sent again, and rejected themselves', async () => {
  const { device } = engine;
  await sendOne();
  await engine.elsewhere('DELETE', `/api/plants/${fern}`);
  await tap(fern, 2);
  const [watered] = await tap(aloe, 1);
  await device.push();
  expect(engine.requests()).toEqual([batch, 'POST /api/plants/:id/water 404']);
  expect(await device.db.outbox.toArray()).toMatchObject([
    { entity: fern, state: 'rejected', attempts: 1, lastError: { status: 404 } },
    { entity: fern, state: 'rejected', attempts: 1, lastError: { status: 404 } },
  ]);
  expect(await engine.wateringsOf(aloe)).toContain(watered);
});
