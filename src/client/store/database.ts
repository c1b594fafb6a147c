import { Dexie } from 'dexie';
import { newOpId } from './outbox/op.ts';
import type { DeviceDb } from './schema.ts';
import {
  clearStorageProblem,
  newStorageProblemLog,
  reportStorageProblem,
} from './storage-problem.ts';
import { addNoticeFlag, renameOpFields, splitLatestFromReadings } from './upgrades.ts';

/** The device's database of one account. The first query opens it. */
export function openDeviceDb(name: string): DeviceDb {
  const db = new Dexie(name, { cache: 'immutable' }) as DeviceDb;
  db.storageProblem = newStorageProblemLog();
  db.version(1).stores({
    plants: 'id',
    outbox: '++seq, &opId, entity',
    idmap: 'localId, serverId',
    readings: 'plantId',
    syncState: 'id',
    meta: 'id',
  });
  db.version(2)
    .stores({ outbox: '++seq, &opId, entity, state', conflicts: 'id, at' })
    .upgrade(addNoticeFlag);
  db.version(3).stores({ latest: 'plantId' }).upgrade(splitLatestFromReadings);
  db.version(4).upgrade(renameOpFields);
  // The keys of the index [plantId+version] are enough for sync to find the journals that are out of date, without
  // reading their rows.
  db.version(5).stores({
    journal: 'plantId, [plantId+version]',
    photos: 'id, plantId',
    photoFiles: '[photoId+size], usedAt',
    series: '[plantId+range], plantId, isWanted',
  });
  followConnection(db);
  return db;
}

/** The databases that this page is deleting or has deleted. */
const deleted = new WeakSet<DeviceDb>();

/** Deletes the device database of an account. Tables are cleared first, since another tab can block the deletion. */
export async function deleteDeviceDb(db: DeviceDb): Promise<void> {
  deleted.add(db);
  const clear = () => Promise.all(db.tables.map((table) => table.clear()));
  // A database that does not open any more can still be deleted.
  await db.transaction('rw', db.tables, clear).catch((error: Error) => console.warn(error.message));
  await db.delete();
}

/** Reports every problem of the connection, since a live query on a lost connection only stops emitting. */
function followConnection(db: DeviceDb): void {
  // Another tab upgrades or deletes the database. Close it and keep it closed, so that this version writes no rows of
  // the old shape.
  db.on('versionchange', ({ newVersion }) => {
    reportStorageProblem(db.storageProblem, newVersion ? 'updated' : 'removed');
    db.close();
    // Skips Dexie's own listener, after which the database would be opened again by the next query or by the 'close'
    // listener below.
    return false;
  });
  // A deletion that other tabs block is completed later, and nobody has to do anything about it.
  db.on('blocked', () => {
    if (!deleted.has(db)) reportStorageProblem(db.storageProblem, 'blocked');
  });
  // Dexie would open a database whose version is newer than this code.
  const rejectNewerVersion = () => {
    const installed = (db.backendDB()?.version ?? 0) / 10;
    if (Math.floor(installed) <= db.verno)
      return clearStorageProblem(db.storageProblem, 'blocked', 'broken');
    reportStorageProblem(db.storageProblem, 'updated');
    throw new Error(`This database is of version ${installed}`);
  };
  db.on('ready', rejectNewerVersion, true);
  // A browser may close the connection, for example after it evicted the data. Open the database again at once and
  // request a sync, which fills an empty database.
  db.on('close', () => {
    queueMicrotask(() => {
      if (db.isOpen() || db.hasFailed()) return;
      openNow(db, () => db.syncState.put({ id: 'request', nonce: newOpId() }));
    });
  });
}

/** A browser that has just closed a connection may refuse the next one for a moment. */
const reopenDelaysMs = [200, 1_000, 3_000] as const;
const blockedAfterMs = 3_000;

/**
 * Opens the database now instead of at the first query, so that a failure is reported. Reports 'broken' after a few
 * attempts. Calls `onOpen` once it is open.
 */
export function openNow(db: DeviceDb, onOpen?: () => Promise<unknown>, tries = 0): void {
  // When the page and its worker both wait for another tab, only the first gets the 'blocked' event. So an open that
  // takes this long is reported as blocked too.
  const slow = setTimeout(() => reportStorageProblem(db.storageProblem, 'blocked'), blockedAfterMs);
  const opened = db.open().finally(() => clearTimeout(slow));
  opened.then(onOpen).catch((error: Error) => {
    console.warn('The device’s database did not open:', error.message);
    if (db.storageProblem.current === 'updated' || db.storageProblem.current === 'removed') return;
    if (isDenied(error)) return reportStorageProblem(db.storageProblem, 'denied');
    const delayMs = reopenDelaysMs[tries];
    if (delayMs === undefined) return reportStorageProblem(db.storageProblem, 'broken');
    setTimeout(() => openNow(db, onOpen, tries + 1), delayMs);
  });
}

/**
 * Whether the browser denies storage. Chromium indicates this only in the message of the error. Other browsers throw a
 * SecurityError or have no IndexedDB.
 */
function isDenied({ name, message }: Error): boolean {
  return /^(SecurityError|MissingAPIError)$/.test(name) || /denied/.test(message);
}
