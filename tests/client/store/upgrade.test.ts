import { Dexie } from 'dexie';
import { expect, onTestFinished, test } from 'vitest';
import { openDeviceDb } from '#client/store/database.ts';
import { newOpId } from '#client/store/outbox/op.ts';
import { mergeReadings } from '#domain/reading/reading-arrays.ts';
import { latestRow, opRow, plantRow, sentOnce } from '../../support/device/device-rows.ts';

/** The tables of version 1, as they were on people's devices. */
const firstStores = {
  plants: 'id',
  outbox: '++seq, &opId, entity',
  idmap: 'localId, serverId',
  readings: 'plantId',
  syncState: 'id',
  meta: 'id',
};

function rawDb(version: number): Dexie {
  const db = new Dexie(`test-${newOpId()}`);
  db.version(version).stores(firstStores);
  onTestFinished(() => db.delete());
  return db;
}

test('an outbox of version 1 keeps every op, in order, with keys and frozen requests', async () => {
  const old = rawDb(1);
  const ops = [
    opRow({ seq: 3, type: 'water', occurredAt: 7 }),
    opRow({ seq: 5, ...sentOnce, state: 'uncertain', nextAt: 9 }),
    opRow({ seq: 8, ...sentOnce, state: 'rejected', lastError: { message: 'No', status: 422 } }),
  ];
  const stored = ops.map(({ isNoticed: _, type, state, ...op }) => {
    return { ...op, v: 1, kind: type, state: state === 'rejected' ? 'parked' : state };
  });
  await old.table('outbox').bulkAdd(stored);
  await old.table('plants').add(plantRow());
  old.close();

  const db = openDeviceDb(old.name);
  expect(await db.outbox.orderBy('seq').toArray()).toEqual(ops);
  expect(await db.plants.toArray()).toEqual([plantRow()]);
  expect(await db.conflicts.count()).toBe(0);
  const { seq: _, ...next } = opRow({ opId: 'next' });
  expect(await db.outbox.add(next)).toBe(9);
  db.close();
});

test('readings of version 2 are kept, their newest values move to a table of their own, and the stored ETag of the list is deleted', async () => {
  const old = rawDb(2);
  const { values, rev } = latestRow();
  const log = { soil_humidity: 40, air_humidity: null, temperature: 20, luminance: null };
  const series = mergeReadings(undefined, [{ timestamp: '2026-11-20T07:00:00Z', ...log }]);
  const none = mergeReadings(undefined, []);
  await old.table('readings').bulkAdd([
    { plantId: 's1', latest: values, series, rev },
    { plantId: 's2', latest: values, series: none, rev: 4 },
  ]);
  await old.table('meta').bulkAdd([
    { id: 'etag:plants', value: '"l1"' },
    { id: 'clock-offset-ms', value: 7_000 },
  ]);
  old.close();

  const db = openDeviceDb(old.name);
  expect(await db.readings.toArray()).toEqual([
    { plantId: 's1', series },
    { plantId: 's2', series: none },
  ]);
  expect(await db.latest.toArray()).toEqual([
    latestRow({ newestKept: '2026-11-20T07:00:00Z' }),
    latestRow({ plantId: 's2', rev: 4 }),
  ]);
  expect(await db.meta.toArray()).toEqual([{ id: 'clock-offset-ms', value: 7_000 }]);
  db.close();
});

test('a database of version 4 keeps what it has, and gets empty tables for journals and photos', async () => {
  const old = new Dexie(`test-${newOpId()}`);
  old.version(4).stores({
    ...firstStores,
    outbox: '++seq, &opId, entity, state',
    conflicts: 'id, at',
    latest: 'plantId',
  });
  onTestFinished(() => old.delete());
  const ops = [opRow(), opRow({ seq: 2, ...sentOnce, state: 'uncertain' })];
  await old.table('outbox').bulkAdd(ops);
  await old.table('plants').add(plantRow());
  await old.table('latest').add(latestRow());
  old.close();

  const db = openDeviceDb(old.name);
  expect(await db.outbox.toArray()).toEqual(ops);
  expect(await db.plants.toArray()).toEqual([plantRow()]);
  expect(await db.latest.toArray()).toEqual([latestRow()]);
  const counts = [db.journal, db.photos, db.photoFiles].map((table) => table.count());
  expect(await Promise.all(counts)).toEqual([0, 0, 0]);
  db.close();
});

test('a database of a newer version is not touched, and a problem is reported', async () => {
  const newer = rawDb(openDeviceDb('not opened').verno + 1);
  await newer.table('outbox').add(opRow({ opId: 'of a newer shape' }));
  newer.close();
  const db = openDeviceDb(newer.name);
  await expect(db.outbox.add(opRow({ seq: 2 }))).rejects.toThrow();
  expect(db.storageProblem.current).toBe('updated');
  expect(await newer.open().then(() => newer.table('outbox').count())).toBe(1);
});

test('when another page installs a newer version, this one closes its database for good', async () => {
  const db = openDeviceDb(`test-${newOpId()}`);
  await db.outbox.add(opRow());
  const newer = new Dexie(db.name);
  newer.version(db.verno + 1).stores(firstStores);
  await newer.open();
  onTestFinished(() => newer.delete());
  expect(db.storageProblem.current).toBe('updated');
  await expect(db.outbox.count()).rejects.toThrow();
});

test('when another page deletes the database, this page closes it and makes no empty database', async () => {
  const db = openDeviceDb(`test-${newOpId()}`);
  await db.outbox.add(opRow());
  await Dexie.delete(db.name);
  expect(db.storageProblem.current).toBe('removed');
  await expect(db.outbox.count()).rejects.toThrow('closed');
  expect(await Dexie.exists(db.name)).toBe(false);
});

test('an upgrade blocked by an open page is reported, and continues once that page is closed', async () => {
  const old = await openFrozen();
  const db = openDeviceDb(old.name);
  const problems = listenToProblems(db);
  const opened = db.open();
  await expect.poll(() => problems).toEqual(['blocked']);
  old.close();
  await opened;
  expect(problems).toEqual(['blocked', null]);
  await db.delete();
});

/** Opens the database like a frozen page of version 1, which does not close it when asked to. */
async function openFrozen(): Promise<IDBDatabase> {
  const old = rawDb(1);
  await old.open();
  old.close();
  return new Promise((resolve) => {
    const request = indexedDB.open(old.name);
    request.onsuccess = () => resolve(request.result);
  });
}

function listenToProblems(db: ReturnType<typeof openDeviceDb>) {
  const problems: unknown[] = [];
  db.storageProblem.listeners.add(() => problems.push(db.storageProblem.current));
  return problems;
}
