import type { DeviceDb } from '../schema.ts';
import { clearStorageProblem, reportStorageProblem } from '../storage-problem.ts';

/**
 * Runs a transaction that stores what a person did. If it fails it is repeated once: Dexie reopens a lost connection, and
 * on a full device the readings, which the server has too, are deleted first. If the second attempt fails, reports a
 * storage problem and rejects.
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

/** A transaction that ran out of room rejects with an AbortError whose `inner` error is the reason. */
function isFull(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const { name, inner } = error as { name?: unknown; inner?: unknown };
  return name === 'QuotaExceededError' || isFull(inner);
}

/** The latest values must be deleted first, since sync takes a row of them as a sign that the series is stored. */
async function makeRoom(db: DeviceDb): Promise<void> {
  for (const table of [db.latest, db.readings]) await table.clear().catch(() => undefined);
}
