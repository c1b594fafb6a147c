import { afterEach, beforeEach, expect, test } from 'vitest';
import { addWatering, addWaterings } from '#client/store/outbox/waterings.ts';
import { readWantedPhotos, requestPhoto } from '#client/store/photos/photo-files.ts';
import { readWantedSeries, requestSeries } from '#client/store/series.ts';
import { requestRound, trySendOutbox } from '#client/store/sync-status.ts';
import { createEngine, type Engine, type EngineDeps } from '#client/sync/engine.ts';
import { lead } from '#client/sync/leader.ts';
import { createSchedule, type Requester } from '#client/sync/schedule.ts';
import { createLocks } from '../../../support/device/locks.ts';
import { createNetwork, fixedResponse, lostRequest } from '../../../support/device/network.ts';
import { addPlant } from '../../../support/server/server.ts';
import { setUpEngine } from '../support/set-up-engine.ts';

const engine = setUpEngine();
let fern: string;
let locks: ReturnType<typeof createLocks>;
let tabs: Engine[];
let rejections: number;
let waitingReports: number;
beforeEach(async () => {
  fern = (await addPlant(engine.server, engine.account)).id;
  locks = createLocks();
  tabs = [];
  rejections = 0;
  waitingReports = 0;
});
afterEach(async () => {
  await Promise.all(tabs.map((tab) => tab.stop()));
});

/** The engine of one more tab of the device. */
function openTab(changes: Partial<EngineDeps> = {}): Engine {
  const tab = createEngine({
    ...engine.device.context,
    withLock: locks.hold,
    onUnauthorized: () => {
      rejections += 1;
    },
    onOpsWaiting: () => {
      waitingReports += 1;
    },
    ...changes,
  });
  tabs.push(tab);
  return tab;
}

/** Opens another tab and waits until it has got a response. Until then, no earlier tab may send anything. */
async function expectOnlyAnotherTabSends(): Promise<void> {
  const { network } = engine.device;
  const before = network.sent.length;
  const another = createNetwork(network.fetch);
  openTab({ fetch: another.fetch, onUnauthorized: () => undefined }).setVisible(true);
  await expect.poll(() => another.sent.some(({ status }) => status !== null)).toBe(true);
  expect(network.sent.length - before).toBe(another.sent.length);
}

async function wateringCount(): Promise<number> {
  const result = await engine.server.db.pool.query('SELECT 1 FROM waterings WHERE plant_id = $1', [
    fern,
  ]);
  return result.rowCount ?? 0;
}

const sentWaterings = () => engine.device.network.sent.filter(({ url }) => url.includes('/water'));
const plantsHere = () => engine.device.db.plants.count();
const opsHere = () => engine.device.db.outbox.count();

test('a visible tab pulls automatically and sends ops added later', async () => {
  openTab().setVisible(true);
  await expect.poll(plantsHere).toBe(1);
  await addWatering(engine.device.db, fern, engine.device.now());
  await expect.poll(wateringCount).toBe(1);
  await expect.poll(opsHere).toBe(0);
});

test('a watering that is added during the first pull is sent before the remaining readings are requested', async () => {
  const { device } = engine;
  const others = Array.from({ length: 13 }, () => addPlant(engine.server, engine.account));
  const plants = [fern, ...(await Promise.all(others)).map(({ id }) => id)];
  for (const plant_id of plants) {
    const timestamp = new Date(Date.now() - 60_000).toISOString();
    await engine.elsewhere('POST', '/api/logs', { plant_id, timestamp, soil_humidity: 40 });
  }
  device.network.failNext(/logs/, async (request) => {
    await addWatering(device.db, fern, device.now());
    return request();
  });
  openTab().setVisible(true);
  await expect.poll(() => device.db.readings.count()).toBe(plants.length);
  await expect.poll(opsHere).toBe(0);
  expect(await wateringCount()).toBe(1);
  const urls = device.network.sent.map(({ url }) => url);
  const watered = urls.findIndex((url) => url.includes('/water'));
  expect(urls.slice(watered).filter((url) => url.includes('/logs/'))).not.toEqual([]);
});

test('one of several tabs sends; when it closes, another one takes over', async () => {
  const [first, second] = [openTab(), openTab()];
  first.setVisible(true);
  await expect.poll(plantsHere).toBe(1);
  second.setVisible(true);
  await addWatering(engine.device.db, fern, engine.device.now() - 3_600_000);
  await expect.poll(opsHere).toBe(0);
  expect(locks.held()).toBe(1);
  expect(sentWaterings()).toHaveLength(1);
  first.leave();
  await addWatering(engine.device.db, fern, engine.device.now());
  await expect.poll(wateringCount).toBe(2);
  expect(sentWaterings()).toHaveLength(2);
});

test('a hidden tab with nothing to send stops leading, and leads again when visible', async () => {
  const tab = openTab();
  tab.setVisible(true);
  await expect.poll(plantsHere).toBe(1);
  tab.setVisible(false);
  await expect.poll(locks.held).toBe(0);
  tab.setVisible(true);
  await expect.poll(locks.held).toBe(1);
});

/** Makes a screen show something that has to be fetched. Resolves to whether it is still wanted. */
const wants = {
  photo: async () => {
    const { db, now } = engine.device;
    const photoId = '11111111-1111-4111-8111-111111111111';
    await requestPhoto(db, { plantKey: fern, photoId, size: 'small' }, now());
    return async () => (await readWantedPhotos(db)).length > 0;
  },
  series: async () => {
    const { db, now } = engine.device;
    await requestSeries(db, fern, '7d', { by: 'screen', now: now() });
    return async () => (await readWantedSeries(db)).length > 0;
  },
};

test.each(['photo', 'series'] as const)(
  'a tab that is hidden gives up the %s that it is fetching, and fetches it again when it is visible again',
  async (wanted) => {
    const { network } = engine.device;
    const tab = openTab();
    tab.setVisible(true);
    await expect.poll(plantsHere).toBe(1);
    let state = 'not requested';
    network.failNext(/api.photos|series/, (_request, signal) => {
      state = 'requested';
      return new Promise((_resolve, reject) => {
        signal?.addEventListener('abort', () => {
          state = 'given up';
          reject(signal.reason);
        });
      });
    });
    const isWanted = await wants[wanted]();
    await expect.poll(() => state).toBe('requested');
    tab.setVisible(false);
    await expect.poll(locks.held).toBe(0);
    tab.setVisible(true);
    await expect.poll(isWanted).toBe(false);
    expect(state).toBe('given up');
  },
);

test('a hidden tab still sends waiting ops', async () => {
  const tab = openTab();
  tab.setVisible(true);
  await expect.poll(plantsHere).toBe(1);
  engine.device.network.failNext(/water/, lostRequest);
  await addWatering(engine.device.db, fern, engine.device.now());
  await expect.poll(() => sentWaterings().length).toBe(1);
  tab.setVisible(false);
  await expect.poll(wateringCount).toBe(1);
  await expect.poll(locks.held).toBe(0);
});

test('after a failure the engine tries again by itself, without any event', async () => {
  engine.device.network.isDown = true;
  openTab().setVisible(true);
  await expect.poll(() => engine.device.network.sent.length).toBeGreaterThan(1);
  engine.device.network.isDown = false;
  await expect.poll(plantsHere).toBe(1);
});

test('sending the outbox before a sign-out sends waterings that could still be undone', async () => {
  openTab().setVisible(true);
  await expect.poll(plantsHere).toBe(1);
  await addWaterings(engine.device.db, [fern], engine.device.now());
  expect(await trySendOutbox(engine.device.db)).toBe(0);
  expect(await wateringCount()).toBe(1);
  expect(sentWaterings()).toHaveLength(1);
});

test('a round requested by the person ends a wait of an hour that the server requested', async () => {
  openTab().setVisible(true);
  await expect.poll(plantsHere).toBe(1);
  engine.device.network.failNext(
    /water/,
    fixedResponse(500, { message: 'oops' }, { 'retry-after': '3600' }),
  );
  await addWatering(engine.device.db, fern, engine.device.now());
  await expect.poll(() => sentWaterings().length).toBe(1);
  await expect
    .poll(async () => (await engine.device.db.outbox.toArray())[0]?.state)
    .toBe('uncertain');
  await requestRound(engine.device.db);
  await expect.poll(wateringCount).toBe(1);
});

test('after its session is revoked the engine reports it once and stops, and the outbox is kept', async () => {
  const tab = openTab();
  tab.setVisible(true);
  await expect.poll(plantsHere).toBe(1);
  await engine.server.db.pool.query('DELETE FROM sessions WHERE user_id = $1', [
    engine.account.userId,
  ]);
  await addWatering(engine.device.db, fern, engine.device.now());
  await expect.poll(() => rejections).toBe(1);
  await expect.poll(locks.held).toBe(0);
  tab.requestRound();
  await requestRound(engine.device.db);
  await expectOnlyAnotherTabSends();
  expect(await opsHere()).toBe(1);
  expect(rejections).toBe(1);
});

test('a stopped engine sends nothing more', async () => {
  const tab = openTab();
  tab.setVisible(true);
  await expect.poll(plantsHere).toBe(1);
  await tab.stop();
  await addWatering(engine.device.db, fern, engine.device.now());
  tab.requestRound();
  await expectOnlyAnotherTabSends();
});

test('ops that cannot be sent now are reported, so that they can be sent in the background', async () => {
  const { network, db, now } = engine.device;
  await addWatering(db, fern, now());
  const tab = openTab();
  tab.setVisible(true);
  await expect.poll(opsHere).toBe(0);
  expect(waitingReports).toBe(0);
  network.isDown = true;
  await addWatering(db, fern, now() + 3_600_000);
  await expect.poll(() => waitingReports).toBeGreaterThan(0);
});

/** Opens one more visible tab, which leads until it would sleep. `requestedBy`: who requests a round in it. */
async function leadOnce(requestedBy: Requester | null = null): Promise<void> {
  const abort = new AbortController();
  const schedule = createSchedule({ ...engine.device.context, onOpsWaiting: () => undefined });
  schedule.setVisible(true);
  if (requestedBy) schedule.request(requestedBy);
  const sleeper = { wake: () => undefined, sleep: async () => abort.abort() };
  await lead({ ...engine.device.context, signal: abort.signal }, schedule, { sleeper });
}

test('no tab sends before the end of a pause that the server requested, unless the person requests a round', async () => {
  const { network, db } = engine.device;
  network.failNext(/water/, fixedResponse(429, { message: 'Slow down' }, { 'retry-after': '600' }));
  await addWatering(db, fern, engine.device.now());
  await leadOnce();
  await addWatering(db, fern, engine.device.now() - 3_600_000);
  await leadOnce();
  await leadOnce('page');
  expect(sentWaterings()).toHaveLength(1);
  await leadOnce('person');
  expect(await wateringCount()).toBe(2);
});

test.each([
  ['a day', 24 * 3_600_000],
  ['half an hour', 30 * 60_000],
])(
  'a pause that was stored before the clock was set back by %s does not keep a tab from sending',
  async (_, aheadMs) => {
    const { device } = engine;
    device.aheadMs = aheadMs;
    const response = fixedResponse(429, { message: 'Slow down' }, { 'retry-after': '600' });
    device.network.failNext(/water/, response);
    await addWatering(device.db, fern, device.now());
    await leadOnce();
    await leadOnce();
    expect(await wateringCount()).toBe(0);
    device.aheadMs = 0;
    await leadOnce();
    expect(await wateringCount()).toBe(1);
  },
);

test('a change that the server postponed is not sent earlier by any tab, unless the person requests it', async () => {
  const { network, db } = engine.device;
  network.failNext(/water/, fixedResponse(500, { message: 'Oops' }, { 'retry-after': '600' }));
  await addWatering(db, fern, engine.device.now());
  await leadOnce();
  await leadOnce('page');
  expect(sentWaterings()).toHaveLength(1);
  await leadOnce('person');
  expect(await wateringCount()).toBe(1);
});

test('a round requested by the page ends a backoff for which the server sent no Retry-After', async () => {
  const { network, db } = engine.device;
  network.failNext(/water/, fixedResponse(500, { message: 'Oops' }));
  await addWatering(db, fern, engine.device.now());
  await leadOnce();
  await leadOnce('page');
  expect(await wateringCount()).toBe(1);
});

test('a hidden tab whose ops are all rejected stops leading', async () => {
  const tab = openTab();
  tab.setVisible(true);
  await expect.poll(plantsHere).toBe(1);
  engine.device.network.failNext(/water/, fixedResponse(422, { message: 'No' }));
  await addWatering(engine.device.db, fern, engine.device.now());
  await expect
    .poll(async () => (await engine.device.db.outbox.toArray())[0]?.state)
    .toBe('rejected');
  tab.setVisible(false);
  await expect.poll(locks.held).toBe(0);
});
