import type { DeviceDb } from '../schema.ts';
import { clearStorageProblem, reportStorageProblem } from '../storage-problem.ts';

/**
 * Runs a transaction that stores what a person did. A failed one is repeated once: Dexie reopens a lost connection, and
 * on a full device the readings are deleted first, which are only copies of the server's. Rejects when the second
 * attempt fails too, and reports a storage problem.
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

/** The latest values are deleted first: with a row there, sync would take the deleted series for stored. */
async function makeRoom(db: DeviceDb): Promise<void> {
  for (const table of [db.latest, db.readings]) await table.clear().catch(() => undefined);
}
