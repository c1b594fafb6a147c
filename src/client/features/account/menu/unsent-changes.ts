import { countUnsent, whenAllSent } from '#client/store/outbox/unsent.ts';
import type { DeviceDb } from '#client/store/schema.ts';
import { requestSync } from '#client/store/sync-status.ts';

const patienceMs = 3_000;

/** Gives the queue a moment to drain; how many changes are then still on this device alone. */
export async function unsentAfterFlush(db: DeviceDb): Promise<number> {
  if ((await countUnsent(db)) === 0) return 0;
  await requestSync(db);
  await whenAllSent(db, patienceMs);
  return countUnsent(db);
}
