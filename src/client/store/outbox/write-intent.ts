import { dropSentPhotos } from '../photos/photo-files.ts';
import type { DeviceDb } from '../schema.ts';
import { clearStorageProblem, reportStorageProblem } from '../storage-problem.ts';

/**
 * Runs a transaction that stores what a person did. If it fails it is repeated once: Dexie reopens a lost connection,
 * and on a full device data that the server also has is deleted first (photos, readings, journals). If the second
 * attempt fails, reports a storage problem and rejects.
 */
export async function writeIntent<T>(db: DeviceDb, write: () => Promise<T>): Promise<T> {
  const result = await write().catch(async (error: unknown) => {
    if (isFull(error)) await makeRoom(db);
    return write().catch((second: unknown) => {
      reportStorageProblem(db.storageProblem, isFull(second) ? 'full' : 'unsaved');
      throw second;
    });
  });
  clearStorageProblem(db.storageProblem, 'full', 'unsaved');
  return result;
}

/** Whether the device is full. A transaction then rejects with an AbortError whose `inner` error is the reason. */
function isFull(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const { name, inner } = error as { name?: unknown; inner?: unknown };
  return name === 'QuotaExceededError' || isFull(inner);
}

/**
 * Deletes data that the server also has: full sizes of photos first, since they are the largest and are fetched again
 * when somebody opens them. The latest values are deleted before the readings, because sync takes their row as a sign
 * that the readings are stored.
 */
async function makeRoom(db: DeviceDb): Promise<void> {
  await dropSentPhotos(db, 0).catch(() => undefined);
  for (const table of [db.series, db.latest, db.readings, db.journal])
    await table.clear().catch(() => undefined);
}
