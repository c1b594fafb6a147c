import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { watchJournal } from '#client/store/journal/journal.ts';
import { select } from '#client/store/live-store.ts';
import { changePlant } from '#client/store/outbox/plant-changes.ts';
import { readWantedPhotos, requestPhoto } from '#client/store/photos/photo-files.ts';
import { addPhotos, type NewPhoto } from '#client/store/photos/photos.ts';
import type { DeviceDb } from '#client/store/schema.ts';
import { fetchWantedPhotos } from '#client/sync/pull/photos.ts';
import { photoTimeoutMs } from '#contract/photos.ts';
import { type Device, openDevice } from '../../../support/device/device.ts';
import { listenTo } from '../../../support/device/fresh-db.ts';
import {
  delayedResponse,
  fixedResponse,
  lostRequest,
  lostResponse,
} from '../../../support/device/network.ts';
import { tinyJpeg } from '../../../support/photos/jpeg.ts';
import { addPlant } from '../../../support/server/server.ts';
import { setUpEngine } from '../support/set-up-engine.ts';

const engine = setUpEngine();

let plantId: string;
beforeEach(async () => {
  plantId = String((await addPlant(engine.server, engine.account)).id);
  await engine.device.pull();
});

function newPhoto(): NewPhoto {
  const bytes = (jpeg: Buffer) => new Uint8Array(jpeg).buffer;
  const full = bytes(tinyJpeg({ width: 40, height: 30, extra: 500 }));
  const small = bytes(tinyJpeg({ width: 4, height: 3 }));
  return { full, small, width: 40, height: 30, takenAt: Date.now(), entryId: null };
}

/** Adds a photo on this device and sends it. */
async function addSent(photo = newPhoto()): Promise<string> {
  const { db, now, push } = engine.device;
  const [id = ''] = await addPhotos(db, plantId, [photo], now());
  await push();
  return id;
}

const [first, second, third, fourth] = [
  '11111111-1111-4111-8111-111111111111',
  '22222222-2222-4222-8222-222222222222',
  '33333333-3333-4333-8333-333333333333',
  '44444444-4444-4444-8444-444444444444',
] as const;

/** A screen shows the small size of a photo. */
function want(photoId: string): Promise<void> {
  const { db, now } = engine.device;
  return requestPhoto(db, { plantKey: plantId, photoId, size: 'small' }, now());
}

function requestedPhotos(): string[] {
  return engine.device.network.sent.flatMap(({ url }) => url.match(/photos\/([^?]+)/)?.[1] ?? []);
}

const watchPhotos = (db: DeviceDb, plantKey: string) =>
  select(watchJournal(db, plantKey), ({ photos }) => photos);

const bufferOf = (bytes = new ArrayBuffer(0)) => Buffer.from(bytes);

async function secondDevice(): Promise<Device> {
  const other = openDevice(engine.server, engine.account);
  onTestFinished(() => other.close());
  await other.pull();
  return other;
}

test('another device lists a sent photo and fetches only the size that is requested', async () => {
  const photo = newPhoto();
  const id = await addSent(photo);
  const other = await secondDevice();
  const shown = listenTo(watchPhotos(other.db, plantId));
  await expect.poll(() => shown.at(-1)).toMatchObject([{ id, isWaiting: false }]);
  const fetching = fetchWantedPhotos(other.context);
  onTestFinished(fetching.stop);
  await requestPhoto(other.db, { plantKey: plantId, photoId: id, size: 'small' }, other.now());
  const stored = async () => bufferOf((await other.db.photoFiles.get([id, 'small']))?.bytes);
  await expect.poll(stored).toEqual(bufferOf(photo.small));
  expect(await readWantedPhotos(other.db)).toEqual([]);
  expect(await other.db.photoFiles.get([id, 'full'])).toBeUndefined();
});

test('a wanted photo that cannot be fetched now is fetched by a later attempt', async () => {
  const id = await addSent();
  const other = await secondDevice();
  other.network.failNext(/GET \/api\/photos/, lostRequest);
  const fetching = fetchWantedPhotos(other.context);
  onTestFinished(fetching.stop);
  await requestPhoto(other.db, { plantKey: plantId, photoId: id, size: 'full' }, other.now());
  await expect.poll(() => other.network.sent.some(({ url }) => url.includes(id))).toBe(true);
  const storedAfterRetry = () => {
    fetching.retryNow();
    return other.db.photoFiles.get([id, 'full']);
  };
  await expect.poll(storedAfterRetry).toBeDefined();
});

test('a picture that was set before its photo was sent is fetched by another device after the photo was sent', async () => {
  const { db, network, now, push } = engine.device;
  const other = await secondDevice();
  const [id = ''] = await addPhotos(db, plantId, [newPhoto()], now());
  await changePlant(db, plantId, { edits: { photo_id: id }, base: { photo_id: null } }, now());
  network.failNext(/PUT \/api\/photos/, lostRequest);
  await push();
  await other.pull();
  const fetching = fetchWantedPhotos(other.context);
  onTestFinished(fetching.stop);
  await requestPhoto(other.db, { plantKey: plantId, photoId: id, size: 'small' }, other.now());
  await expect
    .poll(() => other.network.sent.at(-1))
    .toMatchObject({
      url: expect.stringContaining(id),
      status: 404,
    });
  for (let i = 0; i < 3; i++) {
    await other.pull();
    fetching.retryNow();
  }
  await db.outbox.toCollection().modify({ nextAt: 0 });
  await push();
  await other.pull();
  const storedAfterRetry = () => {
    fetching.retryNow();
    return other.db.photoFiles.get([id, 'small']);
  };
  await expect.poll(storedAfterRetry).toBeDefined();
  expect(await readWantedPhotos(other.db)).toEqual([]);
  const requests = other.network.sent.filter(({ url }) => url.includes(`/photos/${id}`));
  expect(requests.map(({ status }) => status)).toEqual([404, 200]);
});

test('a photo that arrives after its plant was deleted is not stored', async () => {
  const id = await addSent();
  const other = await secondDevice();
  const { fault, arrived, release } = delayedResponse();
  other.network.failNext(/GET \/api\/photos/, fault);
  const fetching = fetchWantedPhotos(other.context);
  onTestFinished(fetching.stop);
  await requestPhoto(other.db, { plantKey: plantId, photoId: id, size: 'small' }, other.now());
  await arrived;
  await engine.elsewhere('DELETE', `/api/plants/${plantId}`);
  await other.pull();
  release();
  await expect.poll(() => readWantedPhotos(other.db)).toEqual([]);
  expect([await other.db.photos.count(), await other.db.photoFiles.count()]).toEqual([0, 0]);
});

test('the files of a photo that was deleted elsewhere are deleted, and those of other photos are kept', async () => {
  const { db, now, pull, network } = engine.device;
  const gone = await addSent();
  const kept = await addSent();
  network.failNext(/PUT \/api\/photos/, lostResponse);
  const uncertain = await addSent();
  const [unsent = ''] = await addPhotos(db, plantId, [newPhoto()], now());
  await engine.elsewhere('DELETE', `/api/photos/${gone}`);
  await pull();
  const ids = [kept, uncertain, unsent].sort();
  expect(await db.photos.toCollection().primaryKeys()).toEqual(ids);
  const files = await db.photoFiles.toCollection().primaryKeys();
  expect(files).toEqual(
    ids.flatMap((id) => [
      [id, 'full'],
      [id, 'small'],
    ]),
  );
});

test.each([true, false])(
  'a journal that was requested before a photo was sent does not delete the photo (journal on the device: %s)',
  async (isStored) => {
    const { db, pull, network } = engine.device;
    await engine.elsewhere('POST', `/api/plants/${plantId}/water`);
    const { fault, arrived, release } = delayedResponse();
    network.failNext(/journal/, fault);
    const pulled = pull();
    await arrived;
    const id = await addSent();
    expect(await db.outbox.count()).toBe(0);
    // As on a full device.
    if (!isStored) await db.journal.clear();
    release();
    await pulled;
    expect(await db.photos.get(id)).toMatchObject({ isWaiting: false, sizes: ['full', 'small'] });
  },
);

test('after a 429 to a wanted photo the next attempt begins with that photo', async () => {
  const { db, context, network } = engine.device;
  await want(second);
  await want(first);
  const json = { 'content-type': 'application/json' };
  network.failNext(/GET \/api\/photos/, fixedResponse(429, { message: 'slow down' }, json));
  const fetching = fetchWantedPhotos(context);
  onTestFinished(fetching.stop);
  await expect.poll(() => network.sent.some(({ status }) => status === 429)).toBe(true);
  fetching.retryNow();
  await expect.poll(() => readWantedPhotos(db)).toEqual([]);
  expect(requestedPhotos()).toEqual([first, first, second]);
});

test('photos are fetched from the newest request to the oldest, also if one is opened meanwhile or once more', async () => {
  const { db, context, network } = engine.device;
  const { fault, arrived, release } = delayedResponse();
  network.failNext(/GET \/api\/photos/, fault);
  for (const photoId of [first, second, third]) await want(photoId);
  const fetching = fetchWantedPhotos(context);
  onTestFinished(fetching.stop);
  await arrived;
  await want(first);
  await want(fourth);
  release();
  await expect.poll(() => readWantedPhotos(db)).toEqual([]);
  expect(requestedPhotos()).toEqual([third, fourth, first, second]);
});

test('a photo to which the server always responds with an error does not keep others from being fetched', async () => {
  const { db, context, network } = engine.device;
  const json = { 'content-type': 'application/json' };
  for (let i = 0; i < 9; i += 1) {
    network.failNext(new RegExp(second), fixedResponse(500, { message: 'Oops' }, json));
  }
  for (const photoId of [first, second, third]) await want(photoId);
  const fetching = fetchWantedPhotos(context);
  onTestFinished(fetching.stop);
  await expect.poll(() => readWantedPhotos(db)).toMatchObject([{ photoId: second }]);
});

test('a photo that takes too long to download does not keep others from being fetched', async () => {
  const { db, context, network } = engine.device;
  // Only the timeout of the request is faked.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  network.failNext(new RegExp(second), (_request, signal) => {
    const response = new Promise<Response>((_resolve, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason));
    });
    vi.advanceTimersByTime(photoTimeoutMs);
    return response;
  });
  for (let i = 0; i < 9; i += 1) network.failNext(new RegExp(second), lostRequest);
  for (const photoId of [first, second, third]) await want(photoId);
  const fetching = fetchWantedPhotos(context);
  onTestFinished(fetching.stop);
  await expect.poll(() => readWantedPhotos(db)).toMatchObject([{ photoId: second }]);
});

test('without a response to one photo no other one is requested', async () => {
  const { db, context, network } = engine.device;
  for (const photoId of [first, second]) await want(photoId);
  network.isDown = true;
  const fetching = fetchWantedPhotos(context);
  onTestFinished(fetching.stop);
  await expect.poll(requestedPhotos).toEqual([second]);
  network.isDown = false;
  fetching.retryNow();
  await expect.poll(() => readWantedPhotos(db)).toEqual([]);
  expect(requestedPhotos()).toEqual([second, second, first]);
});

test('if the list of wanted photos cannot be read from the device database, the error is logged', async () => {
  const { db, context } = engine.device;
  const fetching = fetchWantedPhotos(context);
  onTestFinished(fetching.stop);
  const warned = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  onTestFinished(() => warned.mockRestore());
  db.close();
  fetching.retryNow();
  await expect
    .poll(() => warned)
    .toHaveBeenCalledWith(
      'Wanted photos cannot be fetched:',
      expect.objectContaining({ name: 'DatabaseClosedError' }),
    );
});

test('a photo that the server does not have is requested once', async () => {
  const { db, context, network, now } = engine.device;
  const fetching = fetchWantedPhotos(context);
  onTestFinished(fetching.stop);
  const photoId = '11111111-1111-4111-8111-111111111111';
  await requestPhoto(db, { plantKey: plantId, photoId, size: 'full' }, now());
  await expect.poll(() => readWantedPhotos(db)).toEqual([]);
  fetching.retryNow();
  // Once a later request has been answered, a repeated one would have been sent too.
  const laterId = '22222222-2222-4222-8222-222222222222';
  await requestPhoto(db, { plantKey: plantId, photoId: laterId, size: 'full' }, now());
  await expect.poll(() => readWantedPhotos(db)).toEqual([]);
  const requested = network.sent.filter(({ url }) => url.includes('/photos/'));
  expect(requested.map(({ url }) => (url.includes(photoId) ? 'first' : 'later'))).toEqual([
    'first',
    'later',
  ]);
});
