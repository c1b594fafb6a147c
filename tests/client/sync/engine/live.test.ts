import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { addWatering } from '#client/store/outbox/waterings.ts';
import { readStatus } from '#client/store/sync-status.ts';
import { createEngine, type Engine } from '#client/sync/engine.ts';
import { livePath } from '#contract/live.ts';
import { createLocks } from '../../../support/device/locks.ts';
import { createNetwork, type Network } from '../../../support/device/network.ts';
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

/** The statuses of the responses so far, without those that say that nothing is new. */
const news = () => network.sent.map(({ status }) => status).filter((status) => status !== 304);

test('a reading that a sensor reports is on the device at once', async () => {
  await watch();
  await post('/api/logs', { plant_id: plantId, soil_humidity: 33 });
  await expect.poll(soilHere).toBe(33);
  expect(news()).toEqual([226]);
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
  await expect.poll(news).toEqual([200, 226]);
});

test('the stream is closed while the tab is hidden; when the tab is visible again, it pulls and opens a stream', async () => {
  await watch();
  tab.setVisible(false);
  await expect.poll(() => streamSignal?.aborted).toBe(true);
  await post('/api/logs', { plant_id: plantId, soil_humidity: 20 });
  expect(news()).toEqual([]);
  tab.setVisible(true);
  await expect.poll(soilHere).toBe(20);
  await expect.poll(() => streams().length).toBe(1);
});
