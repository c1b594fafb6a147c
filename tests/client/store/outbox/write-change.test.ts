import { forceCloseDatabase } from 'fake-indexeddb';
import { expect, test } from 'vitest';
import {
  discardOp,
  dismissConflict,
  dismissNotice,
  retryOp,
} from '#client/store/outbox/decisions.ts';
import { changePlant } from '#client/store/outbox/plant-changes.ts';
import { addWatering } from '#client/store/outbox/waterings.ts';
import { storeInsteadOfPhotos } from '#client/store/outbox/write-change.ts';
import { watchPlants } from '#client/store/plants.ts';
import type { DeviceDb } from '#client/store/schema.ts';
import { requestSeries } from '#client/store/series.ts';
import { mergeReadings } from '#domain/reading/reading-arrays.ts';
import { journalRow, latestRow, opRow, plantRow } from '../../../support/device/device-rows.ts';
import { freshDb, listenTo } from '../../../support/device/fresh-db.ts';

const noRoom = () => new DOMException('no room left', 'QuotaExceededError');

/** Makes the next `times` writes to the outbox fail. */
function failing(db: DeviceDb, times: number, reason: () => Error): void {
  let left = times;
  db.outbox.hook('creating', () => {
    if (left <= 0) return;
    left -= 1;
    throw reason();
  });
}

async function dbWithReadings(): Promise<DeviceDb> {
  const db = freshDb();
  await db.plants.add(plantRow());
  await db.readings.add({ plantId: 'p1', series: mergeReadings(undefined, []) });
  await db.latest.add(latestRow({ plantId: 'p1' }));
  await db.journal.add(journalRow());
  await requestSeries(db, 'p1', '7d', { by: 'screen', now: 1 });
  return db;
}

async function addPhoto(db: DeviceDb, id: string, isWaiting: boolean): Promise<void> {
  await db.photos.put({ id, plantId: 'p1', isWaiting, sizes: ['full', 'small'] });
  for (const size of ['full', 'small'] as const) {
    await db.photoFiles.put({ photoId: id, size, bytes: new ArrayBuffer(1), usedAt: 1 });
  }
}

test('on a full device readings and journals are deleted to store a change', async () => {
  const db = await dbWithReadings();
  failing(db, 1, noRoom);
  await addWatering(db, 'p1', 1);
  expect(await db.outbox.count()).toBe(1);
  for (const table of [db.series, db.readings, db.latest, db.journal])
    expect(await table.count()).toBe(0);
  expect(db.storageProblem.current).toBeNull();
});

test('on a full device the latest values are kept if the readings cannot be deleted', async () => {
  const db = await dbWithReadings();
  failing(db, 1, noRoom);
  db.readings.hook('deleting', () => {
    throw new Error('broken');
  });
  await addWatering(db, 'p1', 1);
  expect([await db.latest.count(), await db.readings.count()]).toEqual([1, 1]);
  expect(await db.journal.count()).toBe(0);
});

test('on a full device sent photos are deleted first, and readings and journals only if that is not enough', async () => {
  const db = await dbWithReadings();
  await addPhoto(db, 'sent', false);
  await addPhoto(db, 'unsent', true);
  failing(db, 1, noRoom);
  await addWatering(db, 'p1', 1);
  expect(await db.photoFiles.toCollection().primaryKeys()).toEqual([
    ['sent', 'small'],
    ['unsent', 'full'],
    ['unsent', 'small'],
  ]);
  expect([await db.readings.count(), await db.journal.count()]).toEqual([1, 1]);
  await addPhoto(db, 'sent', false);
  failing(db, 2, noRoom);
  await addWatering(db, 'p2', 1);
  expect([await db.readings.count(), await db.journal.count()]).toEqual([0, 0]);
  expect(await db.outbox.count()).toBe(2);
  expect(db.storageProblem.current).toBeNull();
});

test('a change that cannot be stored is reported until one is stored again', async () => {
  const db = await dbWithReadings();
  failing(db, 2, noRoom);
  await expect(addWatering(db, 'p1', 1)).rejects.toThrow();
  expect(db.storageProblem.current).toBe('full');
  expect(await db.outbox.count()).toBe(0);
  await addWatering(db, 'p1', 1);
  expect(db.storageProblem.current).toBeNull();
});

test.each([
  ['a retry of a rejected change', (db: DeviceDb) => retryOp(db, 'op-1')],
  ['a discarded change', (db: DeviceDb) => discardOp(db, 'op-1')],
  ['a dismissed notice', (db: DeviceDb) => dismissNotice(db, 'op-1')],
  ['a dismissed conflict', (db: DeviceDb) => dismissConflict(db, 'conflict')],
])('%s that cannot be stored is reported', async (_, decide) => {
  const db = await dbWithReadings();
  await db.outbox.add(opRow({ state: 'rejected' }));
  await db.conflicts.add({ id: 'conflict', entity: 'p1', mine: {}, theirs: {}, at: 1 });
  const fail = () => {
    throw noRoom();
  };
  for (const table of [db.outbox, db.conflicts]) {
    table.hook('updating', fail);
    table.hook('deleting', fail);
  }
  await expect(decide(db)).rejects.toThrow();
  expect(db.storageProblem.current).toBe('full');
  expect([await db.outbox.count(), await db.conflicts.count()]).toEqual([1, 1]);
});

test('if storing a change fails on a device that is not full, it is retried without deleting readings, and reported if it fails again', async () => {
  const db = await dbWithReadings();
  const broken = () => new DOMException('connection lost', 'UnknownError');
  const edit = { edits: { location: 'Hall' }, base: { location: null } };
  failing(db, 3, broken);
  await expect(changePlant(db, 'p1', edit, 1)).rejects.toThrow();
  expect(db.storageProblem.current).toBe('unsaved');
  await changePlant(db, 'p1', edit, 1);
  expect(db.storageProblem.current).toBeNull();
  expect(await db.outbox.count()).toBe(1);
  expect([await db.readings.count(), await db.latest.count()]).toEqual([1, 1]);
});

test('a database connection that the browser has closed is opened again for the next change', async () => {
  const db = await dbWithReadings();
  await db.open();
  // The type wrongly asks for a class instead of an instance.
  forceCloseDatabase(db.backendDB() as unknown as Parameters<typeof forceCloseDatabase>[0]);
  await addWatering(db, 'p1', 1);
  expect(await db.outbox.count()).toBe(1);
  expect(db.storageProblem.current).toBeNull();
});

test('data that the server also has is written a second time only after a sent photo was deleted to make room', async () => {
  const db = freshDb();
  let tries = 0;
  const store = async () => {
    tries += 1;
    if (tries === 1) throw noRoom();
    return 'stored';
  };
  await expect(storeInsteadOfPhotos(db, store)).rejects.toThrow('no room left');
  expect(tries).toBe(1);
  await addPhoto(db, 'sent', false);
  tries = 0;
  expect(await storeInsteadOfPhotos(db, store)).toBe('stored');
});

test('a failed query keeps the last value, and a problem is reported', async () => {
  const db = await dbWithReadings();
  const results = listenTo(watchPlants(db));
  await expect.poll(() => results).toHaveLength(1);
  const unreadable = () => {
    throw new DOMException('unreadable', 'UnknownError');
  };
  db.plants.hook('reading', unreadable);
  await db.idmap.put({ localId: 'a', serverId: 'b' });
  await expect.poll(() => db.storageProblem.current).toBe('broken');
  expect(results).toHaveLength(1);
  db.plants.hook('reading').unsubscribe(unreadable);
  await expect.poll(() => results, { timeout: 3_000 }).toHaveLength(2);
});
