import { deleteFullSizes } from '../photos/photo-files.ts';
import type { DeviceDb } from '../schema.ts';
import { clearStorageProblem, reportStorageProblem } from '../storage-problem.ts';

/**
 * Runs a transaction that stores what a person did. If it fails, it is repeated: Dexie reopens a lost connection, and
 * if the device is full, data that the server also has is deleted first. If it still fails, reports a storage problem
 * and rejects.
 */
export async function writeChange<T>(db: DeviceDb, write: () => Promise<T>): Promise<T> {
  try {
    const result = await writeWithRetries(db, write);
    clearStorageProblem(db.storageProblem, 'full', 'unsaved');
    return result;
  } catch (error) {
    reportStorageProblem(db.storageProblem, isFull(error) ? 'full' : 'unsaved');
    throw error;
  }
}

async function writeWithRetries<T>(db: DeviceDb, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!isFull(error)) return write();
  }
  return writeAfterMakingRoom(db, write);
}

/**
 * Runs a transaction that claims ops or commits their results. On a full device, deletes the same data as writeChange
 * and runs the transaction again.
 */
export async function writeWithRoom<T>(db: DeviceDb, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!isFull(error)) throw error;
  }
  return writeAfterMakingRoom(db, write);
}

/**
 * Runs work that stores what the server also has. On a full device, deletes the full sizes of sent photos and repeats
 * the work. Readings and journals are kept, so that screens can show them without waiting for the server.
 */
export async function storeInsteadOfPhotos<T>(db: DeviceDb, store: () => Promise<T>): Promise<T> {
  try {
    return await store();
  } catch (error) {
    if (!isFull(error) || (await deleteFullSizes(db, 0)) === 0) throw error;
  }
  return store();
}

async function writeAfterMakingRoom<T>(db: DeviceDb, write: () => Promise<T>): Promise<T> {
  // Photos first: they are the largest, and are fetched again when somebody opens them.
  const dropped = await deleteFullSizes(db, 0).catch(() => 0);
  if (dropped > 0) {
    try {
      return await write();
    } catch (error) {
      if (!isFull(error)) throw error;
    }
  }
  await clearCaches(db);
  return write();
}

/** Whether the device is full. A transaction then rejects with an AbortError whose `inner` error is the reason. */
function isFull(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const { name, inner } = error as { name?: unknown; inner?: unknown };
  return name === 'QuotaExceededError' || isFull(inner);
}

/**
 * Deletes readings and journals, which the server also has. The latest values and the readings are deleted together,
 * because sync takes a row of latest values as a sign that the readings are stored.
 */
async function clearCaches(db: DeviceDb): Promise<void> {
  for (const tables of [[db.series], [db.latest, db.readings], [db.journal]]) {
    const clear = async () => void (await Promise.all(tables.map((table) => table.clear())));
    await db.transaction('rw', tables, clear).catch(() => undefined);
  }
}
