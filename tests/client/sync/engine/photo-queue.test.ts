import { beforeEach, expect, test } from 'vitest';
import { readJournal } from '#client/store/journal/journal.ts';
import { deletePlant } from '#client/store/outbox/plant-changes.ts';
import { addWatering } from '#client/store/outbox/waterings.ts';
import { addPhotos, removePhoto } from '#client/store/photos/photos.ts';
import { readStatus } from '#client/store/sync-status.ts';
import {
  type BackgroundOptions,
  saveBackgroundToken,
  sendInBackground,
} from '#client/sync/background/background.ts';
import { lead } from '#client/sync/leader.ts';
import { syncLockOf } from '#client/sync/lock.ts';
import { createSchedule } from '#client/sync/schedule.ts';
import {
  delayedResponse,
  fixedResponse,
  lostRequest,
  type Network,
} from '../../../support/device/network.ts';
import { tinyJpeg } from '../../../support/photos/jpeg.ts';
import { addPlant } from '../../../support/server/server.ts';
import { setUpEngine } from '../support/set-up-engine.ts';

const engine = setUpEngine();
const minuteMs = 60_000;

let fern: string;
beforeEach(async () => {
  fern = (await addPlant(engine.server, engine.account)).id;
  await engine.device.pull();
  engine.device.network.sent.length = 0;
});

async function takePhotos(count: number): Promise<void> {
  const bytes = (width: number) => new Uint8Array(tinyJpeg({ width, height: 3 })).buffer;
  const photos = Array.from({ length: count }, (_, i) => {
    const size = { width: 40 + i, height: 3 };
    return { full: bytes(40 + i), small: bytes(4), ...size, takenAt: Date.now(), entryId: null };
  });
  await addPhotos(engine.device.db, fern, photos, engine.device.now());
}

type Fault = Parameters<Network['failNext']>[1];

function failUploads(fault: Fault, count = 100): void {
  for (let i = 0; i < count; i += 1) engine.device.network.failNext(/PUT \/api\/photos/, fault);
}

/**
 * Leads as a visible tab until it has slept for `ms`; a sleep advances the device's clock. `wakeFirst` is called in the
 * first sleep and ends it at once.
 */
async function leadFor(ms: number, wakeFirst?: () => Promise<unknown>): Promise<void> {
  const { device } = engine;
  const abort = new AbortController();
  const schedule = createSchedule({ ...device.context, onOpsWaiting: () => undefined });
  schedule.setVisible(true);
  let sleptMs = 0;
  let wake = wakeFirst;
  const sleeper = {
    wake: () => undefined,
    sleep: async (sleepMs: number) => {
      const isWoken = wake?.();
      wake = undefined;
      if (isWoken) return void (await isWoken);
      device.aheadMs += Math.max(0, sleepMs);
      sleptMs += Math.max(0, sleepMs);
      if (sleptMs >= ms) abort.abort();
    },
  };
  await lead({ ...device.context, signal: abort.signal }, schedule, {
    sleeper,
    openLive: () => ({ retryNow: () => undefined }),
    watch: () => () => undefined,
  });
}

const methods = () => engine.device.network.sent.map(({ method }) => method);
const uploads = () => engine.requests().filter((line) => line.startsWith('PUT /api/photos'));
const opsHere = () => engine.device.db.outbox.count();

test.each<[what: string, fault: Fault]>([
  ['gets no response', lostRequest],
  ['fails in a proxy', fixedResponse(502, '<html>Bad Gateway</html>')],
])('while the upload of a photo %s, changes from elsewhere arrive', async (_, fault) => {
  const { db } = engine.device;
  await takePhotos(1);
  failUploads(fault);
  await leadFor(minuteMs);
  await addPlant(engine.server, engine.account, { nickname: 'Ivy' });
  await leadFor(minuteMs);
  expect(uploads().length).toBeGreaterThan(1);
  expect(await db.plants.count()).toBe(2);
  expect((await readStatus(db)).connectivity).toBe('online');
});

test('a watering is sent at once although the upload of a photo has just failed', async () => {
  const { device } = engine;
  await takePhotos(1);
  failUploads(lostRequest);
  await leadFor(1, () => addWatering(device.db, fern, device.now()));
  expect(await engine.wateringsOf(fern)).toHaveLength(1);
});

test('a photo that cannot be uploaded does not prevent the upload of the others', async () => {
  await takePhotos(3);
  const [first] = await engine.device.db.outbox.toArray();
  failUploads((request) =>
    engine.device.network.sent.at(-1)?.key?.includes(first?.opId ?? '-')
      ? lostRequest(request)
      : request(),
  );
  await leadFor(5 * minuteMs);
  expect(await engine.device.db.outbox.toArray()).toMatchObject([{ opId: first?.opId }]);
});

test('a watering made during an upload is sent, and a due pull is made, before the next photo', async () => {
  const { device } = engine;
  const { fault, arrived, release } = delayedResponse();
  await takePhotos(3);
  device.network.failNext(/PUT \/api\/photos/, fault);
  const leading = leadFor(1);
  await arrived;
  await addWatering(device.db, fern, device.now());
  release();
  await leading;
  expect(methods()).toEqual(['PUT', 'POST', 'GET', 'GET', 'PUT', 'PUT']);
  expect(await opsHere()).toBe(0);
});

test('120 waterings are sent in four requests although photos fail', async () => {
  const { device } = engine;
  await takePhotos(2);
  failUploads(lostRequest);
  const first = device.now() - 120 * 20 * minuteMs;
  for (let i = 0; i < 120; i += 1) await addWatering(device.db, fern, first + i * 20 * minuteMs);
  await leadFor(minuteMs);
  expect(methods().filter((method) => method === 'POST')).toHaveLength(4);
  expect(await engine.wateringsOf(fern)).toHaveLength(120);
});

test('without a network twenty photos cause fewer than 150 requests in ten minutes', async () => {
  await takePhotos(20);
  engine.device.network.isDown = true;
  await leadFor(10 * minuteMs);
  // With the shortest possible backoffs, which grow to 15 s, uploads and pulls are each tried about 45 times.
  expect(engine.requests().length).toBeLessThan(150);
  expect(uploads().length).toBeLessThan(60);
});

test('a page that is hidden uploads all photos', async () => {
  const { device } = engine;
  await takePhotos(3);
  const schedule = createSchedule({ ...device.context, onOpsWaiting: () => undefined });
  device.aheadMs += 5 * minuteMs;
  expect(await lead(device.context, schedule)).toBe('stopped');
  expect(uploads()).toHaveLength(3);
});

/** Takes three photos and closes all pages. Then sends in the background as the service worker does. */
async function takeAndSend({
  isLockAwaited,
}: Pick<BackgroundOptions, 'isLockAwaited'>): Promise<'done' | 'later'> {
  const { db, context } = engine.device;
  await takePhotos(3);
  await saveBackgroundToken(db, engine.account.token);
  db.close({ disableAutoOpen: false });
  const tryLock: BackgroundOptions['tryLock'] = (_, work) => work();
  const sleep = async () => undefined;
  return sendInBackground(db.name, { ...context, tryLock, isLockAwaited, sleep });
}

test('the service worker uploads all photos', async () => {
  expect(await takeAndSend({ isLockAwaited: async () => false })).toBe('done');
  expect(uploads()).toHaveLength(3);
});

test('if a page is opened while the service worker uploads photos, it leaves the rest to the page after the current one', async () => {
  const isLockAwaited = async (name: string) =>
    name === syncLockOf(engine.device.db) && uploads().length === 2;
  expect(await takeAndSend({ isLockAwaited })).toBe('later');
  expect(uploads()).toHaveLength(2);
  expect(await opsHere()).toBe(1);
});

test('a photo that a proxy refuses as too large is rejected and not uploaded again, and the server counts as reachable', async () => {
  const { db } = engine.device;
  await takePhotos(1);
  failUploads(fixedResponse(413, '<html>Request Entity Too Large</html>'));
  await engine.device.push();
  expect((await readStatus(db)).connectivity).toBe('online');
  await leadFor(5 * minuteMs);
  expect(uploads()).toHaveLength(1);
  expect(await db.outbox.toArray()).toMatchObject([{ state: 'rejected' }]);
});

test('a plant is deleted although the uploads of its photos fail each time, and no op of it is left', async () => {
  const { db, now, push } = engine.device;
  await takePhotos(2);
  failUploads(fixedResponse(502, '<html>Bad Gateway</html>'));
  await push();
  const [first] = (await readJournal(db, fern)).photos;
  if (!first) throw new Error('No photo');
  await removePhoto(db, fern, first, now());
  await deletePlant(db, fern, now());
  await push();
  expect(await engine.serverPlants()).toEqual([]);
  expect([await opsHere(), await db.plants.count()]).toEqual([0, 0]);
});

test('a plant is deleted while its photo is being sent, and the response to the upload changes nothing', async () => {
  const { device } = engine;
  const { fault, arrived, release } = delayedResponse();
  device.network.failNext(/PUT \/api\/photos/, fault);
  await takePhotos(1);
  const pushed = device.push();
  await arrived;
  await deletePlant(device.db, fern, device.now());
  const next = await device.restart();
  await next.push();
  expect(await engine.serverPlants()).toEqual([]);
  release();
  await pushed;
  expect([await next.db.outbox.count(), await next.db.plants.count()]).toEqual([0, 0]);
});
