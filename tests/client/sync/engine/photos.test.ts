import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { readJournal, watchJournal } from '#client/store/journal/journal.ts';
import { select } from '#client/store/live-store.ts';
import { retryOp } from '#client/store/outbox/decisions.ts';
import { addEntry } from '#client/store/outbox/entries.ts';
import { addPlant as addOffline, changePlant } from '#client/store/outbox/plant-changes.ts';
import { addWatering } from '#client/store/outbox/waterings.ts';
import { addPhotos, type NewPhoto, removePhoto } from '#client/store/photos/photos.ts';
import { saveUploadProgress } from '#client/store/photos/upload-progress.ts';
import type { DeviceDb } from '#client/store/schema.ts';
import type { PhotosResponse } from '#contract/photos.ts';
import { type Device, openDevice } from '../../../support/device/device.ts';
import { listenTo } from '../../../support/device/fresh-db.ts';
import {
  delayedResponse,
  fixedResponse,
  lostRequest,
  lostResponse,
} from '../../../support/device/network.ts';
import { plantPayload } from '../../../support/factories.ts';
import { tinyJpeg } from '../../../support/photos/jpeg.ts';
import { addPlant, bearer } from '../../../support/server/server.ts';
import { setUpEngine } from '../support/set-up-engine.ts';

const engine = setUpEngine();

let plantId: string;
beforeEach(async () => {
  plantId = String((await addPlant(engine.server, engine.account)).id);
  await engine.device.pull();
});

function newPhoto(width = 40, change: Partial<NewPhoto> = {}): NewPhoto {
  const bytes = (jpeg: Buffer) => new Uint8Array(jpeg).buffer;
  const full = bytes(tinyJpeg({ width, height: 30, extra: 500 }));
  const small = bytes(tinyJpeg({ width: 4, height: 3 }));
  return { full, small, width, height: 30, takenAt: Date.now(), entryId: null, ...change };
}

const add = (photos: NewPhoto[], { db, now }: Device = engine.device) =>
  addPhotos(db, plantId, photos, now());

const watchPhotos = (db: DeviceDb, plantKey: string) =>
  select(watchJournal(db, plantKey), ({ photos }) => photos);

async function serverPhotos(): Promise<PhotosResponse['photos']> {
  const headers = bearer(engine.account);
  const url = `/api/plants/${plantId}/photos`;
  const response = await engine.server.app.inject({ url, headers });
  return (response.json() as PhotosResponse).photos;
}

async function bytesOnServer(id: string, size = ''): Promise<Buffer> {
  const headers = bearer(engine.account);
  const url = `/api/photos/${id}${size && `?size=${size}`}`;
  return (await engine.server.app.inject({ url, headers })).rawPayload;
}

const bufferOf = (bytes = new ArrayBuffer(0)) => Buffer.from(bytes);

const uploads = () => engine.requests().filter((line) => line.startsWith('PUT /api/photos'));

async function secondDevice(): Promise<Device> {
  const other = openDevice(engine.server, engine.account);
  onTestFinished(() => other.close());
  await other.pull();
  return other;
}

test('photos taken offline arrive once each, byte for byte, and stay on the device', async () => {
  engine.device.network.isDown = true;
  const photos = [newPhoto(40), newPhoto(41), newPhoto(42)];
  const ids = await add(photos);
  await engine.device.push();
  engine.device.network.isDown = false;
  await engine.device.db.outbox.toCollection().modify({ nextAt: 0 });
  await engine.device.push();
  const stored = await serverPhotos();
  expect(stored.map(({ id }) => id).sort()).toEqual([...ids].sort());
  expect(stored.map(({ width }) => width).sort()).toEqual([40, 41, 42]);
  for (const [n, id] of ids.entries()) {
    expect(await bytesOnServer(id)).toEqual(bufferOf(photos[n]?.full));
    expect(await bytesOnServer(id, 'small')).toEqual(bufferOf(photos[n]?.small));
  }
  expect(await engine.device.db.outbox.count()).toBe(0);
  expect(await engine.device.db.photos.toArray()).toHaveLength(3);
  expect((await engine.device.db.photos.toArray()).some(({ isWaiting }) => isWaiting)).toBe(false);
});

test.each([
  ['the request', lostRequest],
  ['the response', lostResponse],
])('when %s is lost the photo is sent again and stored once', async (_, fault) => {
  engine.device.network.failNext(/PUT \/api\/photos/, fault);
  await add([newPhoto()]);
  await engine.device.push();
  await engine.device.db.outbox.toCollection().modify({ nextAt: 0 });
  await engine.device.push();
  expect(uploads()).toHaveLength(2);
  expect(await serverPhotos()).toHaveLength(1);
  expect(await engine.device.db.outbox.count()).toBe(0);
});

test('a photo is not sent before its entry, so that the server stores the photo with the entry', async () => {
  const { db, network, now, push } = engine.device;
  const note = { type: 'note' as const, note: 'A', at: now(), days: null, amount_ml: null };
  const entryId = await addEntry(db, plantId, note, now());
  const [id] = await add([newPhoto(40, { entryId })]);
  network.failNext(/journal/, fixedResponse(500, { message: 'Oops' }));
  await push();
  await db.outbox.toCollection().modify({ nextAt: 0 });
  await push();
  expect(await serverPhotos()).toMatchObject([{ id, entry_id: entryId }]);
});

test('a repeated upload of a photo does not hide a note that another device added meanwhile', async () => {
  const { db, network, now, pull, push } = engine.device;
  const other = await secondDevice();
  network.failNext(/PUT \/api\/photos/, lostResponse);
  const [id] = await add([newPhoto()]);
  await push();
  await pull();
  const note = { type: 'note' as const, note: 'Moved', at: now(), days: null, amount_ml: null };
  await addEntry(other.db, plantId, note, now());
  await other.push();
  await db.outbox.toCollection().modify({ nextAt: 0 });
  await push();
  await pull();
  expect(await db.journal.get(plantId)).toMatchObject({
    entries: [{ note: 'Moved' }],
    photos: [{ id }],
  });
});

test('a watering that is made during an upload is the next request', async () => {
  const { fault, arrived, release } = delayedResponse();
  engine.device.network.failNext(/PUT \/api\/photos/, fault);
  await add([newPhoto(40), newPhoto(41), newPhoto(42)]);
  const pushed = engine.device.push();
  await arrived;
  await addWatering(engine.device.db, plantId, engine.device.now());
  release();
  await pushed;
  const sent = engine.requests().filter((line) => /^(PUT|POST)/.test(line));
  expect(sent.map((line) => line.replace(/ \d+$/, ''))).toEqual([
    'PUT /api/photos/:id',
    'POST /api/plants/:id/water',
    'PUT /api/photos/:id',
    'PUT /api/photos/:id',
  ]);
});

test('other changes are sent before photos that were made earlier', async () => {
  await add([newPhoto()]);
  const edit = { edits: { location: 'Attic' }, base: { location: 'Bathroom' } };
  await changePlant(engine.device.db, plantId, edit, engine.device.now());
  await engine.device.push();
  const [first] = engine.requests().filter((line) => line.startsWith('PUT'));
  expect(first).toMatch(/^PUT \/api\/plants/);
  expect(await serverPhotos()).toHaveLength(1);
});

test('a photo of a plant made offline is sent after the plant has been created on the server', async () => {
  const { db, now } = engine.device;
  await addOffline(db, plantPayload({ nickname: 'New' }), now());
  const key = (await db.outbox.toCollection().first())?.entity ?? '';
  await addPhotos(db, key, [newPhoto()], now());
  await engine.device.push();
  const made = (await engine.serverPlants()).find(({ nickname }) => nickname === 'New');
  plantId = made?.id ?? '';
  expect(await serverPhotos()).toHaveLength(1);
});

test('a photo deleted on one device disappears on another one and on the server', async () => {
  const [id = ''] = await add([newPhoto()]);
  await engine.device.push();
  const other = await secondDevice();
  const [photo] = await serverPhotos();
  if (!photo) throw new Error('No photo');
  await removePhoto(other.db, plantId, photo, other.now());
  await other.push();
  expect(await serverPhotos()).toEqual([]);
  await engine.device.pull();
  const shown = listenTo(watchPhotos(engine.device.db, plantId));
  await expect.poll(() => shown.at(-1)).toEqual([]);
  expect((await bytesOnServer(id)).toString()).toContain('not_found');
});

test('a photo whose upload response was lost, and that was then deleted elsewhere, stays deleted after the retry', async () => {
  engine.device.network.failNext(/PUT \/api\/photos/, lostResponse);
  await add([newPhoto()]);
  await engine.device.push();
  const [photo] = await serverPhotos();
  await engine.elsewhere('DELETE', `/api/photos/${photo?.id}`);
  await engine.device.db.outbox.toCollection().modify({ nextAt: 0 });
  await engine.device.push();
  expect(await serverPhotos()).toEqual([]);
  expect(await engine.device.db.outbox.count()).toBe(0);
});

test('a photo that was pulled and then deleted elsewhere is not shown again when its upload is retried', async () => {
  const { db, network, push, pull } = engine.device;
  network.failNext(/PUT \/api\/photos/, lostResponse);
  const [id = ''] = await add([newPhoto()]);
  await push();
  await pull();
  await engine.elsewhere('DELETE', `/api/photos/${id}`);
  await db.outbox.toCollection().modify({ nextAt: 0 });
  await push();
  const shown = listenTo(watchPhotos(db, plantId));
  await expect.poll(() => shown.at(-1)).toEqual([]);
  expect([await db.photos.count(), await db.photoFiles.count()]).toEqual([0, 0]);
});

test.each([
  ['request', lostRequest],
  ['response', lostResponse],
])('a photo deleted after its %s was lost is uploaded again and then deleted', async (_, loss) => {
  const { db, network, now, push } = engine.device;
  network.failNext(/PUT \/api\/photos/, loss);
  const [id = ''] = await add([newPhoto()]);
  await push();
  const shown = listenTo(watchPhotos(db, plantId));
  await expect.poll(() => shown.at(-1)).toHaveLength(1);
  const [photo] = shown.at(-1) ?? [];
  if (photo) await removePhoto(db, plantId, photo, now());
  await expect.poll(() => shown.at(-1)).toEqual([]);
  expect(await db.photoFiles.get([id, 'full'])).toBeDefined();
  await db.outbox.toCollection().modify({ nextAt: 0 });
  await push();
  expect(await serverPhotos()).toEqual([]);
  expect(await db.outbox.count()).toBe(0);
  expect([await db.photos.count(), await db.photoFiles.count()]).toEqual([0, 0]);
});

test('the upload of a photo of a plant that was deleted elsewhere is rejected, and the device keeps the photo’s bytes', async () => {
  const [id = ''] = await add([newPhoto()]);
  await engine.elsewhere('DELETE', `/api/plants/${plantId}`);
  await engine.device.push();
  await engine.device.pull();
  expect(await engine.device.db.outbox.toArray()).toMatchObject([{ state: 'rejected' }]);
  expect(await engine.device.db.photoFiles.get([id, 'full'])).toBeDefined();
});

test.each(['before', 'after'])(
  'a photo that was pulled, and whose plant was then deleted elsewhere, can be deleted %s its repeated upload is rejected',
  async (order) => {
    const { db, network, now, push, pull } = engine.device;
    network.failNext(/PUT \/api\/photos/, lostResponse);
    await add([newPhoto()]);
    await push();
    await pull();
    await engine.elsewhere('DELETE', `/api/plants/${plantId}`);
    await db.outbox.toCollection().modify({ nextAt: 0 });
    const shown = async () => (await readJournal(db, plantId)).photos;
    const remove = async () => {
      const [photo] = await shown();
      if (photo) await removePhoto(db, plantId, photo, now());
      expect(await shown()).toEqual([]);
    };
    if (order === 'before') await remove();
    await push();
    if (order === 'after') await remove();
    await push();
    expect(await shown()).toEqual([]);
    expect([await db.outbox.count(), await db.photoFiles.count()]).toEqual([0, 0]);
  },
);

test.each([
  [413, 'The photo is larger than 2 MB'],
  [415, 'Only JPEG photos can be stored'],
  [422, 'An account can have 1000 photos'],
])(
  'a photo rejected with %d gets the server’s message and delays no other photo',
  async (status, message) => {
    const body = { code: 'invalid', message };
    engine.device.network.failNext(/PUT \/api\/photos/, fixedResponse(status, body));
    await add([newPhoto(40), newPhoto(41)]);
    await engine.device.push();
    expect(await engine.device.db.outbox.toArray()).toMatchObject([
      { state: 'rejected', lastError: { message, status } },
    ]);
    expect(await serverPhotos()).toHaveLength(1);
  },
);

test('a photo without bytes is rejected instead of being retried forever', async () => {
  await add([newPhoto()]);
  await engine.device.db.photoFiles.clear();
  await engine.device.push();
  expect(uploads()).toEqual([]);
  expect(await engine.device.db.outbox.toArray()).toMatchObject([
    { state: 'rejected', lastError: { message: 'The photo is no longer on this device' } },
  ]);
});

test('a photo whose bytes cannot be read is rejected, and is sent by Retry when they can be read again', async () => {
  const { db, push } = engine.device;
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  onTestFinished(() => void vi.restoreAllMocks());
  await add([newPhoto(40)]);
  let isReadable = false;
  db.photoFiles.hook('reading', (file) => {
    if (isReadable) return file;
    throw new DOMException('Failed to read large IndexedDB value', 'DataError');
  });
  await push();
  const [op] = await db.outbox.toArray();
  expect(op).toMatchObject({
    state: 'rejected',
    lastError: { message: 'The photo cannot be read on this device' },
  });
  isReadable = true;
  await retryOp(db, op?.opId ?? '');
  await push();
  expect(await serverPhotos()).toHaveLength(1);
});

test('after a crash during the upload the photo is sent again and stored once', async () => {
  const { fault, arrived, release } = delayedResponse();
  engine.device.network.failNext(/PUT \/api\/photos/, fault);
  await add([newPhoto()]);
  const pushed = engine.device.push();
  await arrived;
  const next = await engine.device.restart();
  await next.push();
  release();
  await pushed;
  expect(await serverPhotos()).toHaveLength(1);
  expect(await next.db.outbox.count()).toBe(0);
});

test('a device does not fetch the journal after its own uploads and removals', async () => {
  engine.device.aheadMs = 3_600_000;
  await engine.device.pull();
  const takenAt = engine.device.now();
  const [id = ''] = await add([newPhoto(40, { takenAt }), newPhoto(41, { takenAt })]);
  await engine.device.push();
  const photo = (await serverPhotos()).find((one) => one.id === id);
  if (!photo) throw new Error('No photo');
  await removePhoto(engine.device.db, plantId, photo, engine.device.now());
  await engine.device.push();
  await engine.device.pull();
  expect(engine.requests().filter((line) => line.includes('journal'))).toEqual([]);
  const row = await engine.device.db.journal.get(plantId);
  expect(row?.photos).toEqual(await serverPhotos());
});

test('an added photo is shown and a removed one is not, before and after a change of the journal from elsewhere is pulled', async () => {
  const { db, now, push, pull } = engine.device;
  const [removed] = await add([newPhoto(40)]);
  await push();
  await pull();
  const waterElsewhere = () => engine.elsewhere('POST', `/api/plants/${plantId}/water`);
  const shown = async () => (await readJournal(db, plantId)).photos.map(({ id }) => id);
  await waterElsewhere();
  const [added] = await add([newPhoto(41)]);
  await push();
  expect(await shown()).toEqual([added, removed]);
  const photo = (await serverPhotos()).find(({ id }) => id === removed);
  if (!photo) throw new Error('No photo');
  await waterElsewhere();
  await removePhoto(db, plantId, photo, now());
  await push();
  expect(await shown()).toEqual([added]);
  await pull();
  expect(await shown()).toEqual([added]);
});

test('the first photos of a plant stay visible when the first response to each upload is lost', async () => {
  const { db, network, push } = engine.device;
  const ids = await add([newPhoto(40), newPhoto(41)]);
  for (const _ of ids) {
    network.failNext(/PUT \/api\/photos/, lostResponse);
    await push();
    await db.outbox.toCollection().modify({ nextAt: 0 });
  }
  expect(await serverPhotos()).toHaveLength(2);
  await push();
  expect(await db.outbox.count()).toBe(0);
  const { photos } = await readJournal(db, plantId);
  expect(photos.map(({ id }) => id).sort()).toEqual([...ids].sort());
});

test('the progress of an upload is stored with the id of its op', async () => {
  const { context, db } = engine.device;
  context.upload = (onProgress) => (url, init) => {
    onProgress(0.5);
    return context.fetch(url, init);
  };
  await add([newPhoto()]);
  const [op] = await db.outbox.toArray();
  await engine.device.push();
  await expect.poll(() => db.syncState.get('upload')).toMatchObject({ opId: op?.opId, share: 0.5 });
});

test('a new attempt to upload a photo begins with the progress 0', async () => {
  const { context, db } = engine.device;
  context.upload = () => (url, init) => context.fetch(url, init);
  await add([newPhoto()]);
  const [op] = await db.outbox.toArray();
  await saveUploadProgress(db, { opId: op?.opId ?? '', share: 0.5 });
  await engine.device.push();
  await expect.poll(() => db.syncState.get('upload')).toMatchObject({ opId: op?.opId, share: 0 });
});
