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

/** The state of sync as the screens read it. */
export interface SyncSummary extends Omit<SyncStatus, 'id'> {
  waitingCount: number;
  /** Changes that the server rejected. */
  rejectedCount: number;
  /** Rejected changes and conflicts that the person has not dismissed yet. */
  noticeCount: number;
}

/** The state of sync, live. */
export const watchSyncStatus = sharedLiveQuery(readSummary);

/** Whether the server can be reached, live. Separate, because the rest of the status changes with every sent op. */
export function watchConnectivity(db: DeviceDb): LiveStore<Connectivity> {
  return select(watchSyncStatus(db), ({ connectivity }) => connectivity);
}

function readSummary(db: DeviceDb): Promise<SyncSummary> {
  return db.transaction('r', db.syncState, db.outbox, db.conflicts, async () => {
    const { id: _, ...status } = await readStatus(db);
    const rejected = await rejectedOps(db);
    const unnoticed = rejected.filter((op) => !op.isNoticed).length;
    return {
      ...status,
      rejectedCount: rejected.length,
      waitingCount: await countWaiting(db),
      noticeCount: unnoticed + (await db.conflicts.count()),
    };
  });
}

export async function readStatus(db: DeviceDb): Promise<SyncStatus> {
  const row = await db.syncState.get('status');
  return row?.id === 'status' ? { ...initialStatus, ...row } : initialStatus;
}

/**
 * Requests a push and a pull now from the sync engine of the leading tab. Rejects if the database cannot be written,
 * which a notice reports.
 */
export async function requestSync(db: DeviceDb): Promise<void> {
  await db.syncState.put({ id: 'request', nonce: newOpId() });
}
