import type { DeviceDb } from '../schema.ts';
import { clearStorageProblem, reportStorageProblem } from '../storage-problem.ts';

/**
 * Writes what a person did. Tried twice: a lost connection is opened anew, and a full device gets rid of readings,
 * which are copies of the server's, while intents exist here alone. Rejects when it could not be kept; then the
 * database's trouble says so.
 */
export async function writeIntent<T>(db: DeviceDb, write: () => Promise<T>): Promise<T> {
  const kept = await write().catch(async (error: unknown) => {
    if (isFull(error)) await makeRoom(db);
    return write().catch((again: unknown) => {
      reportStorageProblem(db.storageProblem, isFull(again) ? 'full' : 'unsaved');
      throw again;
    });
  });
  clearStorageProblem(db.storageProblem, 'full', 'unsaved');
  return kept;
}

/** A transaction that ran out of room says AbortError, with the reason inside. */
function isFull(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const { name, inner } = error as { name?: unknown; inner?: unknown };
  return name === 'QuotaExceededError' || isFull(inner);
}

/** The newest values first: they tell what is kept of the others. */
async function makeRoom(db: DeviceDb): Promise<void> {
  for (const table of [db.latest, db.readings]) await table.clear().catch(() => undefined);
}
