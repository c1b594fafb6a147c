import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { addWatering } from '#client/store/outbox/waterings.ts';
import { readWantedPhotos, requestPhoto } from '#client/store/photos/photo-files.ts';
import { requestSeries } from '#client/store/series.ts';
import { createEngine } from '#client/sync/engine.ts';
import { fetchWantedPhotos } from '#client/sync/pull/photos.ts';
import { fetchAllWanted } from '#client/sync/pull/series.ts';
import type { Sleeper } from '#client/sync/sleeper.ts';
import { mergeReadings } from '#domain/reading/reading-arrays.ts';
import { createLocks } from '../../../support/device/locks.ts';
import { fixedResponse } from '../../../support/device/network.ts';
import { addPlant } from '../../../support/server/server.ts';
import { setUpEngine } from '../support/set-up-engine.ts';

/** Sleeps of the engine that `nextSleep` has not returned yet: the length (ms), and how to end each. */
let sleeps: { ms: number; end: () => void }[];

/** Sleeps until a test ends the sleep. */
function createSleeper(signal: AbortSignal): Sleeper {
  let end: () => void = () => undefined;
  signal.addEventListener('abort', () => end());
  return {
    wake: () => end(),
    sleep: (ms) =>
      new Promise((resolve) => {
        end = resolve;
        if (signal.aborted) resolve();
        else sleeps.push({ ms, end });
      }),
  };
}

const engine = setUpEngine();
const pulls = () => engine.requests().filter((line) => line.startsWith('GET /api/plants'));

let isBroken: boolean;
beforeEach(async () => {
  const { db, network } = engine.device;
  sleeps = [];
  isBroken = true;
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  // A server without a live stream.
  for (let i = 0; i < 300; i += 1)
    network.failNext(/api.live/, fixedResponse(404, { message: 'None' }));
  const breakWrite = () => {
    if (isBroken) throw new Error('The device is full');
  };
  await addPlant(engine.server, engine.account);
  db.plants.hook('creating', breakWrite);
  db.plants.hook('updating', breakWrite);
});

function openTab() {
  const tab = createEngine({
    ...engine.device.context,
    createSleeper,
    random: () => 0.5,
    withLock: createLocks().hold,
    onUnauthorized: () => undefined,
    onOpsWaiting: () => undefined,
  });
  onTestFinished(async () => {
    await tab.stop();
    vi.restoreAllMocks();
  });
  tab.setVisible(true);
  return tab;
}

/** Waits for the next sleep and ends it at once. Returns its length (ms). */
async function passSleep(): Promise<number> {
  const sleep = await nextSleep();
  sleep.end();
  return sleep.ms;
}

async function nextSleep() {
  await expect.poll(() => sleeps.length).toBeGreaterThan(0);
  const sleep = sleeps.shift();
  if (!sleep) throw new Error('It does not sleep');
  return sleep;
}

test('while pulled plants cannot be stored, fewer than 50 lists are requested in ten minutes', async () => {
  openTab();
  let passedMs = 0;
  while (passedMs < 600_000) passedMs += await passSleep();
  await nextSleep();
  // Two lists per attempt.
  expect(pulls().length).toBeLessThan(50);
});

test.each(['claimed', 'confirmed'] as const)(
  'on a full device a change is %s after readings were deleted',
  async (step) => {
    isBroken = false;
    const { db, now, pull, push } = engine.device;
    await pull();
    const [plant] = await db.plants.toArray();
    const plantId = plant?.id ?? '';
    await db.readings.put({ plantId, series: mergeReadings(undefined, []) });
    await addWatering(db, plantId, now());
    const table = step === 'claimed' ? db.outbox : db.plants;
    let isFull = true;
    table.hook('updating', () => {
      if (!isFull) return;
      isFull = false;
      throw new DOMException('no room left', 'QuotaExceededError');
    });
    await push();
    expect(isFull).toBe(false);
    expect(await db.outbox.count()).toBe(0);
    expect(await engine.wateringsOf(plantId)).toHaveLength(1);
    expect(await db.readings.count()).toBe(0);
  },
);

/** Stores both sizes of a photo that was sent and of one that was not. */
async function storePhotos(): Promise<void> {
  const { db } = engine.device;
  for (const [id, isWaiting] of [
    ['sent', false],
    ['unsent', true],
  ] as const) {
    await db.photos.put({ id, plantId: 'p1', isWaiting, sizes: ['full', 'small'] });
    for (const size of ['full', 'small'] as const) {
      await db.photoFiles.put({ photoId: id, size, bytes: new ArrayBuffer(1), usedAt: 0 });
    }
  }
}

/** Resolves to the id of the only plant, after a pull. */
async function pulledPlant(): Promise<string> {
  isBroken = false;
  await engine.device.pull();
  const [plant] = await engine.device.db.plants.toArray();
  return plant?.id ?? '';
}

const noRoom = () => new DOMException('no room left', 'QuotaExceededError');

/** A screen shows the full size of a photo that another device sent; sync fetches it. Resolves with its id. */
async function openPhoto(): Promise<string> {
  const { db, context, network, now } = engine.device;
  const plantKey = await pulledPlant();
  const photoId = '11111111-1111-4111-8111-111111111111';
  network.failNext(/api.photos/, fixedResponse(200, 'JPEG', { 'content-type': 'image/jpeg' }));
  await requestPhoto(db, { plantKey, photoId, size: 'full' }, now());
  const fetching = fetchWantedPhotos(context);
  onTestFinished(fetching.stop);
  return photoId;
}

test('on a full device a photo that is opened replaces full sizes of other photos that were sent', async () => {
  await storePhotos();
  const { db } = engine.device;
  let isFull = true;
  db.photoFiles.hook('creating', () => {
    if (isFull) throw noRoom();
  });
  db.photoFiles.hook('deleting', () => {
    isFull = false;
  });
  const photoId = await openPhoto();
  await expect.poll(() => db.photoFiles.get([photoId, 'full'])).toBeDefined();
  expect(await db.photoFiles.get(['sent', 'full'])).toBeUndefined();
  expect(await db.photoFiles.get(['unsent', 'full'])).toBeDefined();
});

test('an opened photo for which a full device has no room is not downloaded again', async () => {
  const { db } = engine.device;
  db.photoFiles.hook('creating', () => {
    throw noRoom();
  });
  await openPhoto();
  await expect.poll(() => readWantedPhotos(db)).toEqual([]);
});

test('on a full device a series replaces full sizes of photos that were sent', async () => {
  await storePhotos();
  const { db, context, now } = engine.device;
  const id = await pulledPlant();
  await requestSeries(db, id, '7d', { by: 'screen', now: now() });
  let isFull = true;
  db.series.hook('updating', () => {
    if (isFull) throw noRoom();
  });
  db.photoFiles.hook('deleting', () => {
    isFull = false;
  });
  await fetchAllWanted(context);
  expect(await db.series.get([id, '7d'])).toMatchObject({ isWanted: 0, hasFailed: false });
});

test('a series for which a full device has no room is marked as failed and not fetched again', async () => {
  const { db, context, now } = engine.device;
  const id = await pulledPlant();
  await requestSeries(db, id, '7d', { by: 'screen', now: now() });
  db.series.hook('updating', (change) => {
    if ('series' in change) throw noRoom();
  });
  await fetchAllWanted(context);
  expect(await db.series.get([id, '7d'])).toMatchObject({ isWanted: 0, hasFailed: true });
});

test('on a full device a pull deletes full-size photos that were sent, so that the plants can be stored', async () => {
  isBroken = false;
  const { db, pull } = engine.device;
  await pull();
  await storePhotos();
  let isFull = true;
  db.plants.hook('creating', () => {
    if (isFull) throw new DOMException('no room left', 'QuotaExceededError');
  });
  db.photoFiles.hook('deleting', () => {
    isFull = false;
  });
  await addPlant(engine.server, engine.account);
  await pull();
  expect(await db.plants.count()).toBe(2);
  expect(await db.photoFiles.toCollection().primaryKeys()).toEqual([
    ['sent', 'small'],
    ['unsent', 'full'],
    ['unsent', 'small'],
  ]);
});

test('if the device is full and has no sent photos, a pull fails and deletes nothing', async () => {
  isBroken = false;
  const { db, pull } = engine.device;
  await pull();
  db.plants.hook('creating', () => {
    throw new DOMException('no room left', 'QuotaExceededError');
  });
  await addPlant(engine.server, engine.account);
  await expect(pull()).rejects.toThrow('no room left');
  expect(await db.plants.count()).toBe(1);
  expect(await db.latest.count()).toBe(1);
});

test('after a pull that succeeds the next error is followed by a short wait again', async () => {
  openTab();
  expect([await passSleep(), await passSleep()]).toEqual([625, 1_250]);
  isBroken = false;
  let sleep = await nextSleep();
  while (sleep.ms < 20_000) {
    sleep.end();
    sleep = await nextSleep();
  }
  expect(await engine.device.db.plants.count()).toBe(1);
  isBroken = true;
  await addPlant(engine.server, engine.account);
  // Advances the clock until the next pull is due.
  engine.device.aheadMs += sleep.ms;
  sleep.end();
  expect(await passSleep()).toBe(625);
});

test('a page that becomes visible or is online again pulls at once, before the wait after an error ends', async () => {
  const tab = openTab();
  await nextSleep();
  const before = pulls().length;
  tab.requestRound();
  await expect.poll(() => pulls().length).toBeGreaterThan(before);
  await nextSleep();
  tab.setVisible(false);
  tab.setVisible(true);
  await expect.poll(() => pulls().length).toBeGreaterThan(before + 2);
});
