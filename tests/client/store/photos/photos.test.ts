import { expect, test } from 'vitest';
import { watchJournal } from '#client/store/journal/journal.ts';
import { deletePlant } from '#client/store/outbox/plant-changes.ts';
import { addWatering } from '#client/store/outbox/waterings.ts';
import {
  deleteFullSizes,
  deleteOrphanedPhotos,
  readWantedPhotos,
  requestPhoto,
  watchPhotoFile,
} from '#client/store/photos/photo-files.ts';
import {
  addPhotos,
  applyPhotoOps,
  type NewPhoto,
  removePhoto,
} from '#client/store/photos/photos.ts';
import type { DeviceDb } from '#client/store/schema.ts';
import type { JournalPhoto } from '#domain/journal/photo.ts';
import { opRow } from '../../../support/device/device-rows.ts';
import { freshDb, listenTo } from '../../../support/device/fresh-db.ts';

const now = Date.parse('2026-11-20T08:00:00Z');

function newPhoto(change: Partial<NewPhoto> = {}): NewPhoto {
  const full = new Uint8Array([1, 2, 3]).buffer;
  const small = new Uint8Array([1]).buffer;
  return { full, small, width: 4, height: 3, takenAt: now, entryId: null, ...change };
}

function storedPhoto(id: string, change: Partial<JournalPhoto> = {}): JournalPhoto {
  return {
    id,
    entry_id: null,
    taken_at: '2026-11-19T08:00:00.000Z',
    width: 4,
    height: 3,
    ...change,
  };
}

async function storeSent(db: DeviceDb, id: string, usedAt: number): Promise<void> {
  await db.photos.put({ id, plantId: 'p1', isWaiting: false, sizes: ['full', 'small'] });
  for (const size of ['full', 'small'] as const) {
    await db.photoFiles.put({ photoId: id, size, bytes: new ArrayBuffer(1), usedAt });
  }
}

const fullSizes = async (db: DeviceDb) =>
  (await db.photoFiles.toCollection().primaryKeys())
    .filter(([, size]) => size === 'full')
    .map(([id]) => id)
    .sort();

test('photos are stored with their bytes and wait to be sent, each as an op of its own', async () => {
  const db = freshDb();
  const ids = await addPhotos(db, 'p1', [newPhoto(), newPhoto({ entryId: 'e1' })], now);
  const ops = await db.outbox.toArray();
  expect(ops.map(({ type, entity, photo }) => [type, entity, photo?.id, photo?.entryId])).toEqual([
    ['add_photo', 'p1', ids[0], null],
    ['add_photo', 'p1', ids[1], 'e1'],
  ]);
  const file = listenTo(watchPhotoFile(db, ids[0] ?? '', 'full'));
  await expect.poll(() => new Uint8Array(file.at(-1) ?? new ArrayBuffer(0))).toHaveLength(3);
});

test('photos are shown at once, newest first, with those of the server', async () => {
  const db = freshDb();
  await db.journal.put({
    plantId: 'p1',
    version: 1,
    isPage: true,
    entries: [],
    next: null,
    photos: [storedPhoto('old', { taken_at: '2026-10-01T00:00:00.000Z' })],
  });
  const shown = listenTo(watchJournal(db, 'p1'));
  const [id] = await addPhotos(db, 'p1', [newPhoto()], now);
  await expect
    .poll(() => shown.at(-1)?.photos.map((photo) => [photo.id, photo.isWaiting]))
    .toEqual([
      [id, true],
      ['old', false],
    ]);
});

test('a photo that the server has already is not shown twice', () => {
  const op = opRow({
    type: 'add_photo',
    photo: { id: 'a', entryId: null, takenAt: now, width: 4, height: 3 },
  });
  expect(applyPhotoOps([storedPhoto('a')], [op])).toHaveLength(1);
});

test('a rejected photo stays visible, and so does a photo whose removal was rejected', () => {
  const photo = { id: 'a', entryId: null, takenAt: now, width: 4, height: 3 };
  const rejected = { state: 'rejected', photo } as const;
  expect(applyPhotoOps([], [opRow({ type: 'add_photo', ...rejected })])).toMatchObject([
    { id: 'a', isRejected: true, isWaiting: false },
  ]);
  const removal = opRow({ type: 'remove_photo', ...rejected });
  expect(applyPhotoOps([storedPhoto('a')], [removal])).toHaveLength(1);
});

test('deleting a photo that was never sent leaves nothing behind', async () => {
  const db = freshDb();
  const [id = ''] = await addPhotos(db, 'p1', [newPhoto()], now);
  await removePhoto(db, 'p1', storedPhoto(id), now);
  expect(await db.outbox.count()).toBe(0);
  expect(await db.photos.count()).toBe(0);
  expect(await db.photoFiles.count()).toBe(0);
});

test('deleting a sent photo hides it and adds an op', async () => {
  const db = freshDb();
  await storeSent(db, 'a', now);
  await removePhoto(db, 'p1', storedPhoto('a'), now);
  const ops = await db.outbox.toArray();
  expect(ops).toMatchObject([{ type: 'remove_photo', photo: { id: 'a' } }]);
  expect(applyPhotoOps([storedPhoto('a')], ops)).toEqual([]);
});

test('to make room, full sizes of sent photos are deleted, the least recently viewed first', async () => {
  const db = freshDb();
  await storeSent(db, 'oldest', now - 3);
  await storeSent(db, 'middle', now - 2);
  await storeSent(db, 'newest', now - 1);
  await deleteFullSizes(db, 2);
  expect(await fullSizes(db)).toEqual(['middle', 'newest']);
  expect((await db.photos.get('oldest'))?.sizes).toEqual(['small']);
  expect(await db.photoFiles.get(['oldest', 'small'])).toBeDefined();
});

test('a photo of which only the full size was stored can be requested again after that size is deleted', async () => {
  const db = freshDb();
  await storeSent(db, 'a', now);
  await db.photos.update('a', { sizes: ['full'] });
  await db.photoFiles.delete(['a', 'small']);
  const want = (size: 'full' | 'small') =>
    requestPhoto(db, { plantKey: 'p1', photoId: 'a', size }, now);
  await want('full');
  expect(await readWantedPhotos(db)).toEqual([]);
  await deleteFullSizes(db, 0);
  await want('full');
  await want('small');
  const wanted = (await readWantedPhotos(db)).map(({ photoId, size }) => [photoId, size]);
  expect(wanted.sort()).toEqual([
    ['a', 'full'],
    ['a', 'small'],
  ]);
});

test('an unsent photo is never deleted to make room', async () => {
  const db = freshDb();
  const [id] = await addPhotos(db, 'p1', [newPhoto()], now - 10);
  await storeSent(db, 'sent', now);
  await deleteFullSizes(db, 0);
  expect(await fullSizes(db)).toEqual([id]);
});

test('a file is requested once, and not while the device has it', async () => {
  const db = freshDb();
  await storeSent(db, 'here', now);
  const wish = (photoId: string) =>
    requestPhoto(db, { plantKey: 'p1', photoId, size: 'small' }, now);
  await Promise.all([wish('here'), wish('away'), wish('away'), wish('other')]);
  const wanted = (await readWantedPhotos(db)).map(({ photoId, plantId }) => [photoId, plantId]);
  expect(wanted.sort()).toEqual([
    ['away', 'p1'],
    ['other', 'p1'],
  ]);
});

test('a repeated request keeps the version of the journal in which the server did not have the photo', async () => {
  const db = freshDb();
  const wish = (photoId: string) =>
    requestPhoto(db, { plantKey: 'p1', photoId, size: 'small' }, now);
  const missing = { plantId: 'p1', photoId: 'missing', size: 'small', missingIn: 3 } as const;
  await db.syncState.put({ id: 'photos', wanted: [missing] });
  await wish('other');
  await wish('missing');
  const other = { plantId: 'p1', photoId: 'other', size: 'small' };
  expect(await readWantedPhotos(db)).toEqual([other, missing]);
});

test('viewing a photo keeps its full size for longer', async () => {
  const db = freshDb();
  await storeSent(db, 'a', now - 2 * 86_400_000);
  await storeSent(db, 'b', now - 86_400_000);
  await requestPhoto(db, { plantKey: 'p1', photoId: 'a', size: 'full' }, now);
  await deleteFullSizes(db, 1);
  expect(await fullSizes(db)).toEqual(['a']);
});

test('deleteOrphanedPhotos deletes the unsent photos of a deleted plant', async () => {
  const db = freshDb();
  await addPhotos(db, 'p1', [newPhoto()], now);
  const [kept] = await addPhotos(db, 'p2', [newPhoto()], now);
  await addWatering(db, 'p1', now);
  await deletePlant(db, 'p1', now);
  await deleteOrphanedPhotos(db);
  expect(await fullSizes(db)).toEqual([kept]);
});
