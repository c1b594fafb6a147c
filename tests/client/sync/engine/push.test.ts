import { beforeEach, expect, test } from 'vitest';
import { newOp } from '#client/store/outbox/op.ts';
import { addWatering } from '#client/store/outbox/waterings.ts';
import { batchPaths } from '#contract/batch.ts';
import {
  delayedResponse,
  fixedResponse,
  lostRequest,
  lostResponse,
  type SentRequest,
} from '../../../support/device/network.ts';
import { addPlant } from '../../../support/server/server.ts';
import { operationsIn, setUpEngine } from '../support/set-up-engine.ts';

const engine = setUpEngine();
let fern: string;
let aloe: string;
beforeEach(async () => {
  fern = (await addPlant(engine.server, engine.account, { nickname: 'Fern' })).id;
  aloe = (await addPlant(engine.server, engine.account, { nickname: 'Aloe' })).id;
  await engine.device.pull();
  engine.device.network.sent.length = 0;
});

const minuteMs = 60_000;

/** The paths of a request: its own, or those of the operations in a batch. */
const pathsIn = (sent: SentRequest) =>
  sent.url === batchPaths.batch ? operationsIn(sent).map(({ path }) => path) : [sent.url];

test('a watering reaches the server once, with the time of the tap', async () => {
  const tapped = engine.device.now() - 90 * minuteMs;
  await addWatering(engine.device.db, fern, tapped);
  await engine.device.push();
  await engine.device.push();
  expect(await engine.wateringsOf(fern)).toEqual([tapped]);
  expect(engine.device.network.sent).toHaveLength(1);
  expect(await engine.device.db.outbox.count()).toBe(0);
});

test('many rejected ops and ops in backoff do not block the ops of other plants', async () => {
  const { db } = engine.device;
  const later = { occurredAt: engine.device.now(), nextAt: engine.device.now() + 60 * minuteMs };
  for (let i = 0; i < 30; i += 1) {
    const op = newOp({ opId: `held-${i}`, entity: `gone-${i}`, type: 'water', occurredAt: 0 });
    await db.outbox.add(i % 2 === 0 ? { ...op, state: 'rejected' } : { ...op, ...later });
  }
  await addWatering(db, fern, engine.device.now());
  await engine.device.push();
  expect(await engine.wateringsOf(fern)).toHaveLength(1);
  expect(await db.outbox.count()).toBe(30);
});

test("the response's last and next watering replace the local ones", async () => {
  const tapped = engine.device.now();
  await addWatering(engine.device.db, fern, tapped);
  expect((await engine.device.plant(fern))?.waiting).toHaveLength(1);
  await engine.device.push();
  const plant = await engine.device.plant(fern);
  expect(plant?.waiting).toEqual([]);
  expect(plant?.record.last_watered).toBe(new Date(tapped).toISOString());
  expect(plant?.record.next_watering_date).toBe(new Date(tapped + 3 * 86_400_000).toISOString());
});

test.each([
  ['request', lostRequest],
  ['response', lostResponse],
])(
  'after a lost %s the same bytes are sent again, and the plant is watered once',
  async (_, fault) => {
    await addWatering(engine.device.db, fern, engine.device.now());
    engine.device.network.failNext(/water/, fault);
    await engine.device.push();
    expect(await engine.device.db.outbox.toArray()).toMatchObject([
      { state: 'uncertain', attempts: 1 },
    ]);
    engine.device.aheadMs += 2 * minuteMs;
    await engine.device.push();
    const [first, second] = engine.device.network.sent;
    expect({ ...second, status: null }).toEqual({ ...first, status: null });
    expect(await engine.wateringsOf(fern)).toHaveLength(1);
    expect(await engine.device.db.outbox.count()).toBe(0);
  },
);

test('after a crash between the server’s action and its response the same request is sent again, and the plant is watered once', async () => {
  await addWatering(engine.device.db, fern, engine.device.now());
  const delayed = delayedResponse();
  engine.device.network.failNext(/water/, delayed.fault);
  const interrupted = engine.device.push();
  await delayed.arrived;
  const restarted = await engine.device.restart();
  await restarted.push();
  expect(restarted.network.sent.map(({ url, key }) => ({ url, key }))).toEqual(
    engine.device.network.sent.map(({ url, key }) => ({ url, key })),
  );
  expect(await engine.wateringsOf(fern)).toHaveLength(1);
  delayed.release();
  await interrupted;
  expect(await engine.device.db.outbox.count()).toBe(0);
});

test('after a crash while one op is being sent, each op in the outbox takes effect exactly once', async () => {
  const { db, network } = engine.device;
  for (const id of [fern, aloe]) await addWatering(db, id, engine.device.now());
  const delayed = delayedResponse();
  network.failNext(/water/, delayed.fault);
  const interrupted = engine.device.push();
  await delayed.arrived;
  const states = (await db.outbox.toArray()).map(({ state }) => state);
  expect(states).toEqual(['inflight', 'queued']);
  const restarted = await engine.device.restart();
  await restarted.push();
  delayed.release();
  await interrupted;
  for (const id of [fern, aloe]) expect(await engine.wateringsOf(id)).toHaveLength(1);
  expect(await db.outbox.count()).toBe(0);
});

test('changes of a plant are sent in the order of the taps, one request at a time', async () => {
  const { db, network } = engine.device;
  const early = engine.device.now() - 60 * minuteMs;
  await addWatering(db, fern, early);
  await addWatering(db, fern, early + 30 * minuteMs);
  await addWatering(db, aloe, early);
  network.mostAtOnce = 0;
  await engine.device.push();
  expect(await engine.wateringsOf(fern)).toEqual([early, early + 30 * minuteMs]);
  const paths = network.sent.flatMap(pathsIn).filter((path) => path.includes(fern));
  const times = paths.map((path) => new URLSearchParams(path.split('?')[1]).get('watered_at'));
  expect(times).toEqual([early, early + 30 * minuteMs].map((at) => new Date(at).toISOString()));
  expect(network.mostAtOnce).toBe(1);
});

test('the late response of an attempt that is no longer valid changes nothing', async () => {
  await addWatering(engine.device.db, fern, engine.device.now());
  const delayed = delayedResponse();
  engine.device.network.failNext(/water/, delayed.fault);
  const interrupted = engine.device.push();
  await delayed.arrived;
  const restarted = await engine.device.restart();
  restarted.network.failNext(/water/, lostRequest);
  await restarted.push();
  const waiting = await engine.device.db.outbox.toArray();
  expect(waiting).toMatchObject([{ state: 'uncertain', attempts: 2 }]);
  delayed.release();
  await interrupted;
  expect(await engine.device.db.outbox.toArray()).toEqual(waiting);
});

test('an engine sends nothing that another tab has sent meanwhile', async () => {
  const { device } = engine;
  for (const plant of [fern, aloe]) await addWatering(device.db, plant, device.now());
  const delayed = delayedResponse();
  device.network.failNext(/water/, delayed.fault);
  const overtaken = device.push();
  await delayed.arrived;
  const other = await device.restart();
  await other.push();
  delayed.release();
  await overtaken;
  expect(device.network.sent.filter(({ url }) => url.includes(aloe))).toEqual([]);
  for (const plant of [fern, aloe]) expect(await engine.wateringsOf(plant)).toHaveLength(1);
});

test('an op that got a server error is retried later, and other plants do not wait', async () => {
  await addWatering(engine.device.db, fern, engine.device.now());
  await addWatering(engine.device.db, aloe, engine.device.now());
  engine.device.network.failNext(
    /water/,
    fixedResponse(500, { message: 'oops' }, { 'retry-after': '120' }),
  );
  const result = await engine.device.push();
  expect(await engine.wateringsOf(aloe)).toHaveLength(1);
  expect(await engine.wateringsOf(fern)).toEqual([]);
  expect(result.type === 'done' && result.dueAt).toBeGreaterThan(engine.device.now() + 100_000);
  engine.device.aheadMs += 121_000;
  await engine.device.push();
  expect(await engine.wateringsOf(fern)).toHaveLength(1);
});

test('without a network only one request is tried, and no op is lost', async () => {
  await addWatering(engine.device.db, fern, engine.device.now());
  await addWatering(engine.device.db, aloe, engine.device.now());
  engine.device.network.isDown = true;
  const result = await engine.device.push();
  expect(engine.device.network.sent).toHaveLength(1);
  expect(result.type === 'paused' && result.until).toBeGreaterThan(engine.device.now());
  expect(await engine.device.db.outbox.count()).toBe(2);
});

test('after a 429 a push sends nothing more, and its result has the pause that the server asks for', async () => {
  await addWatering(engine.device.db, fern, engine.device.now());
  await addWatering(engine.device.db, aloe, engine.device.now());
  engine.device.network.failNext(
    /water/,
    fixedResponse(429, { message: 'slow down' }, { 'retry-after': '30' }),
  );
  const result = await engine.device.push();
  expect(engine.device.network.sent).toHaveLength(1);
  expect(result).toMatchObject({ type: 'paused', by: 'server' });
  expect(result.type === 'paused' && result.until).toBeGreaterThan(engine.device.now() + 25_000);
  await engine.device.push();
  expect(await engine.wateringsOf(fern)).toHaveLength(1);
  expect(await engine.wateringsOf(aloe)).toHaveLength(1);
});

test('a push after the session has ended resolves to unauthorized and keeps the outbox', async () => {
  await addWatering(engine.device.db, fern, engine.device.now());
  await engine.server.db.pool.query('DELETE FROM sessions WHERE user_id = $1', [
    engine.account.userId,
  ]);
  expect(await engine.device.push()).toEqual({ type: 'unauthorized' });
  expect(await engine.device.db.outbox.count()).toBe(1);
  expect(await engine.wateringsOf(fern)).toEqual([]);
});

test('a watering of a plant deleted elsewhere is rejected and blocks nothing', async () => {
  await addWatering(engine.device.db, fern, engine.device.now());
  await addWatering(engine.device.db, aloe, engine.device.now());
  await engine.server.db.pool.query('DELETE FROM plants WHERE id = $1', [fern]);
  await engine.device.push();
  expect(await engine.device.db.outbox.toArray()).toMatchObject([
    { entity: fern, state: 'rejected', lastError: { message: 'Plant not found', status: 404 } },
  ]);
  expect(await engine.wateringsOf(aloe)).toHaveLength(1);
});

test("a rejected watering keeps the server's message and is not shown as done", async () => {
  await addWatering(engine.device.db, fern, engine.device.now());
  engine.device.network.failNext(/water/, fixedResponse(422, { message: 'No water today' }));
  await engine.device.push();
  const plant = await engine.device.plant(fern);
  expect(plant?.rejected).toMatchObject([{ lastError: { message: 'No water today' } }]);
  expect(plant?.record.last_watered).toBeNull();
});

test('a page of a captive portal with status 200 does not count as a response', async () => {
  await addWatering(engine.device.db, fern, engine.device.now());
  engine.device.network.failNext(
    /water/,
    fixedResponse(200, '<html>Please accept our terms</html>'),
  );
  await engine.device.push();
  expect(await engine.device.db.outbox.toArray()).toMatchObject([{ state: 'uncertain' }]);
  engine.device.aheadMs += 2 * minuteMs;
  await engine.device.push();
  expect(await engine.wateringsOf(fern)).toHaveLength(1);
});
