import { type LiveStore, select, sharedLiveQuery } from './live-store.ts';
import { newOpId } from './outbox/op.ts';
import { countWaiting, rejectedOps } from './outbox/queue.ts';
import type { Connectivity, DeviceDb, SyncStatus } from './schema.ts';

export const initialStatus: SyncStatus = {
  id: 'status',
  connectivity: 'unknown',
  pulledAt: null,
  pullError: null,
  sentCount: 0,
};

/** What the screens read of sync. */
export interface SyncSummary extends Omit<SyncStatus, 'id'> {
  waitingCount: number;
  /** Refused by the server. */
  rejectedCount: number;
  /** What a person has not put away yet: refused changes, and overwritten fields. */
  noticeCount: number;
}

/** How sync stands; again whenever any of it changes. */
export const watchSyncStatus = sharedLiveQuery(readSummary);

/** Whether the server can be reached; a view of its own, since the rest of the status changes with every sent op. */
export function watchConnectivity(db: DeviceDb): LiveStore<Connectivity> {
  return select(watchSyncStatus(db), ({ connectivity }) => connectivity);
}

function readSummary(db: DeviceDb): Promise<SyncSummary> {
  return db.transaction('r', db.syncState, db.outbox, db.conflicts, async () => {
    const { id: _, ...status } = await readStatus(db);
    const held = await rejectedOps(db);
    const unseen = held.filter((op) => !op.isNoticed).length;
    return {
      ...status,
      rejectedCount: held.length,
      waitingCount: await countWaiting(db),
      noticeCount: unseen + (await db.conflicts.count()),
    };
  });
}

export async function readStatus(db: DeviceDb): Promise<SyncStatus> {
  const row = await db.syncState.get('status');
  return row?.id === 'status' ? { ...initialStatus, ...row } : initialStatus;
}

/** Asks the engine, in whichever tab it leads, for a round now. */
export async function requestSync(db: DeviceDb): Promise<void> {
  await db.syncState.put({ id: 'request', nonce: newOpId() });
}
