import { liveQuery, type Observable } from 'dexie';
import type { DeviceDb } from './db.ts';
import { newOpId } from './op-id.ts';
import { initialStatus, type SyncStatus } from './sync-state.ts';

/** What the screens read of sync. */
export interface SyncSummary extends Omit<SyncStatus, 'id'> {
  waitingCount: number;
  parkedCount: number;
}

export function watchSyncStatus(db: DeviceDb): Observable<SyncSummary> {
  return liveQuery(() =>
    db.transaction('r', db.syncState, db.outbox, async () => {
      const { id: _, ...status } = await readStatus(db);
      const ops = await db.outbox.toArray();
      const parkedCount = ops.filter((op) => op.state === 'parked').length;
      return { ...status, parkedCount, waitingCount: ops.length - parkedCount };
    }),
  );
}

export async function readStatus(db: DeviceDb): Promise<SyncStatus> {
  const row = await db.syncState.get('status');
  return row?.id === 'status' ? row : initialStatus;
}

/** Asks the engine, in whichever tab it leads, for a round now. */
export async function requestSync(db: DeviceDb): Promise<void> {
  await db.syncState.put({ id: 'request', nonce: newOpId() });
}
