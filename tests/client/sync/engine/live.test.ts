import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { addWatering } from '#client/store/outbox/waterings.ts';
import { readStatus } from '#client/store/sync-status.ts';
import { createEngine, type Engine } from '#client/sync/engine.ts';
import { lead, type Replaceable } from '#client/sync/leader.ts';
import { createSchedule, type Schedule } from '#client/sync/schedule.ts';
import { livePath } from '#contract/live.ts';
import { createLocks } from '../../../support/device/locks.ts';
import { createNetwork, delayedResponse, type Network } from '../../../support/device/network.ts';
import { addPlant, bearer } from '../../../support/server/server.ts';
import { setUpEngine } from '../support/set-up-engine.ts';

/*
 * The engine against a server that listens on a port, so that it has a live stream. Without the stream the changes
 * would arrive too late: the next round comes after 30 s, and `expect.poll` waits at most 20 s.
 */

const engine = setUpEngine();
let url: string;
let plantId: string;
let network: Network;
let tab: Engine;
/** Aborts when the engine closes the stream that it opened last. */
let streamSignal: AbortSignal | null;
beforeAll(async () => {
  url = await engine.server.app.listen({ port: 0, host: '127.0.0.1' });
});
beforeEach(async () => {
  plantId = (await addPlant(engine.server, engine.account)).id;
  streamSignal = null;
  network = createNetwork((path, init) => {
    if (path === livePath) streamSignal = init.signal ?? null;
    return fetch(url + path, init);
  });
  tab = createEngine({
    ...engine.device.context,
    fetch: network.fetch,
    withLock: createLocks().hold,
    onUnauthorized: () => undefined,
    onOpsWaiting: () => undefined,
  });
});
afterEach(() => tab.stop());

async function post(path: string, payload?: object): Promise<void> {
  const headers = bearer(engine.account);
  const options = { method: 'POST' as const, url: path, headers, ...(payload && { payload }) };
  expect((await engine.server.app.inject(options)).statusCode).toBeLessThan(300);
}

const streams = () => network.sent.filter(({ url: path }) => path === livePath);
const soilHere = async () =>
  (await engine.device.db.latest.get(plantId))?.values.latest_soil_humidity;

/**
 * Makes the tab visible and waits for its stream and first pull. Then reports a reading, waits for it on the device,
 * and clears the list of requests.
 */
async function watch(): Promise<void> {
  tab.setVisible(true);
  await expect.poll(() => streams().map(({ status }) => status)).toEqual([200]);
  await expect.poll(async () => (await readStatus(engine.device.db)).pulledAt).not.toBeNull();
  await post('/api/logs', { plant_id: plantId, soil_humidity: 90 });
  await expect.poll(soilHere).toBe(90);
  network.sent.length = 0;
}

/**
 * The statuses of the responses so far, without those that say that nothing is new; null for a response that has not
 * arrived yet. A pull that was already running may contain the change; the next pull then has no status yet.
 */
const statuses = () => network.sent.map(({ status }) => status).filter((status) => status !== 304);

test('a reading that a sensor reports is on the device at once', async () => {
  await watch();
  await post('/api/logs', { plant_id: plantId, soil_humidity: 33 });
  await expect.poll(soilHere).toBe(33);
  await expect.poll(statuses).toEqual([226]);
});

test('a change by another device is on this one at once', async () => {
  await watch();
  await post(`/api/plants/${plantId}/water`);
  await expect
    .poll(async () => (await engine.device.db.plants.get(plantId))?.record.last_watered)
    .toEqual(expect.any(String));
});

test('a watering on this device causes one request to send it and one to pull the announced change', async () => {
  await watch();
  await addWatering(engine.device.db, plantId, engine.device.now());
  await expect.poll(() => engine.device.db.outbox.count()).toBe(0);
  await expect.poll(statuses).toEqual([200, 226]);
  await post('/api/logs', { plant_id: plantId, soil_humidity: 33 });
  await expect.poll(soilHere).toBe(33);
  await expect.poll(statuses).toEqual([200, 226, 226]);
});

test('the stream is closed while the tab is hidden; when the tab is visible again, it pulls and opens a stream', async () => {
  await watch();
  tab.setVisible(false);
  await expect.poll(() => streamSignal?.aborted).toBe(true);
  await post('/api/logs', { plant_id: plantId, soil_humidity: 20 });
  await expect.poll(statuses).toEqual([]);
  tab.setVisible(true);
  await expect.poll(soilHere).toBe(20);
  await expect.poll(() => streams().length).toBe(1);
});

/**
 * Leads as a visible tab whose streams open at once if `opens`. `inSleep` is called in each sleep, which then ends; the
 * leader stops after the last one. Resolves to how long the sleeps would have been (ms).
 */
async function sleepsOf(
  schedule: Schedule,
  inSleep: (() => void)[],
  opens: (stream: number) => boolean,
): Promise<number[]> {
  const abort = new AbortController();
  const sleeps: number[] = [];
  let streamCount = 0;
  const openLive: Replaceable['openLive'] = ({ onUpdate }) => {
    streamCount += 1;
    if (opens(streamCount)) onUpdate({ type: 'open' });
    return { retryNow: () => undefined };
  };
  const sleep = async (ms: number) => {
    sleeps.push(Math.round(ms / 1_000) * 1_000);
    inSleep[sleeps.length - 1]?.();
    if (sleeps.length > inSleep.length) abort.abort();
  };
  schedule.setVisible(true);
  await lead({ ...engine.device.context, signal: abort.signal }, schedule, {
    sleeper: { wake: () => undefined, sleep },
    openLive,
    watch: () => () => undefined,
  });
  return sleeps;
}

const newSchedule = () =>
  createSchedule({ ...engine.device.context, onOpsWaiting: () => undefined });

test('a tab that is hidden and shown again during one pull keeps its stream, and the next pull is due after 5 minutes', async () => {
  const schedule = newSchedule();
  const { fault, arrived, release } = delayedResponse();
  engine.device.network.failNext(/GET/, fault);
  const sleeps = sleepsOf(schedule, [], () => true);
  await arrived;
  schedule.setVisible(false);
  schedule.setVisible(true);
  release();
  expect(await sleeps).toEqual([300_000]);
});

test('a tab that was hidden pulls every 30 s until its new stream is open', async () => {
  const { db, now } = engine.device;
  await addWatering(db, plantId, now());
  // As long as this op waits, the hidden tab keeps the lead.
  await db.outbox.toCollection().modify({ nextAt: now() + 1_800_000 });
  const schedule = newSchedule();
  const hide = () => schedule.setVisible(false);
  const show = () => {
    schedule.setVisible(true);
    schedule.request('page');
  };
  expect(await sleepsOf(schedule, [hide, show], (stream) => stream === 1)).toEqual([
    300_000, 60_000, 30_000,
  ]);
});
