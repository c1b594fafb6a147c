import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { addWatering } from '#client/store/outbox/waterings.ts';
import { readStatus } from '#client/store/sync-status.ts';
import { silentNetwork } from '../../../support/device/fetch-stub.ts';
import { addPlant, bearer } from '../../../support/server/server.ts';
import { setUpEngine } from '../support/set-up-engine.ts';

/*
 * An op that is added during a pull ends the pull early, so that the op need not wait. The engine pushes and pulls
 * again after a pull that reports 'interrupted'; loop.test.ts tests that.
 */

const engine = setUpEngine();
let ids: string[];

beforeEach(async () => {
  ids = [];
  for (let i = 0; i < 14; i++) {
    const { id } = await addPlant(engine.server, engine.account);
    ids.push(id);
    const response = await engine.server.app.inject({
      method: 'POST',
      url: '/api/logs',
      headers: bearer(engine.account),
      payload: { plant_id: id, soil_humidity: 40 },
    });
    expect(response.statusCode).toBe(201);
  }
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
});
afterEach(() => void vi.useRealTimers());

const sentTo = (path: string) =>
  engine.device.network.sent.filter(({ url }) => url.includes(path)).map(({ url }) => url);

/** Leaves the next request to a path without a response. Resolves once the request was sent. */
function sentWithoutResponse(path: RegExp): Promise<void> {
  return new Promise((resolve) => {
    engine.device.network.failNext(path, (_, signal = null) => {
      resolve();
      return silentNetwork('', { signal });
    });
  });
}

function water(id = ids[0] ?? ''): Promise<string> {
  return addWatering(engine.device.db, id, Date.now());
}

test('a watering that is added while readings are requested ends the pull after the requests in progress, and the next pull requests the rest', async () => {
  const { device } = engine;
  device.network.failNext(/logs/, async (request) => {
    await water();
    return request();
  });
  expect(await device.pull()).toBe('interrupted');
  const before = sentTo('/logs/').length;
  expect(before).toBeGreaterThanOrEqual(1);
  expect(before).toBeLessThan(14);
  expect(await device.db.readings.count()).toBe(before);
  // The op still waits, but it is not new any more.
  expect(await device.pull()).toBe('done');
  expect(new Set(sentTo('/logs/')).size).toBe(14);
  expect(sentTo('/logs/')).toHaveLength(14);
});

test('a watering that is added while the lists are requested ends the pull before it requests any readings', async () => {
  const { device } = engine;
  device.network.failNext(/with-latest-readings/, async (request) => {
    await water();
    return request();
  });
  expect(await device.pull()).toBe('interrupted');
  expect(sentTo('/logs/')).toEqual([]);
});

test.each([
  ['plants', /\/api\/plants$/],
  ['plants with readings', /with-latest-readings/],
  ['readings', /\/logs\//],
  ['journals', /\/journal/],
])(
  'requests for %s without a response are aborted 2 s after a watering is added, and the pull does not count as failed',
  async (_, path) => {
    const { device } = engine;
    // So that the plant has a journal to pull.
    await engine.elsewhere('POST', `/api/plants/${ids[1]}/water`);
    const sent = sentWithoutResponse(path);
    const pulled = device.pull();
    await sent;
    // Without an op the requests may take as long as they need.
    await vi.advanceTimersByTimeAsync(10_000);
    await water();
    await vi.advanceTimersByTimeAsync(2_000);
    expect(await pulled).toBe('interrupted');
    expect(await readStatus(device.db)).toMatchObject({ pullFailedAt: null });
    expect(await device.pull()).toBe('done');
    expect(await device.db.readings.count()).toBe(14);
    expect((await device.db.journal.get(ids[1] ?? ''))?.entries).toHaveLength(1);
  },
);

test('readings that arrived before a pull was aborted are kept and not requested again', async () => {
  const { device } = engine;
  const sent = sentWithoutResponse(/\/logs\//);
  const pulled = device.pull();
  await sent;
  await expect.poll(() => device.db.readings.count()).toBe(13);
  await water();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(await pulled).toBe('interrupted');
  expect(await device.db.readings.count()).toBe(13);
  device.network.sent.length = 0;
  expect(await device.pull()).toBe('done');
  expect(sentTo('/logs/')).toHaveLength(1);
  expect(await device.db.readings.count()).toBe(14);
});

test('a watering that was added before a pull does not abort the requests of the pull', async () => {
  const { device } = engine;
  await water();
  const sent = sentWithoutResponse(/\/api\/plants$/);
  let isEnded = false;
  const pulled = device.pull().finally(() => {
    isEnded = true;
  });
  await sent;
  await vi.advanceTimersByTimeAsync(10_000);
  expect(isEnded).toBe(false);
  await device.close();
  expect(await pulled).toBe('stopped');
});
