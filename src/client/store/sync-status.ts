import { type LiveStore, select, sharedLiveStore, whenRead } from './live-store.ts';
import { newOpId } from './outbox/op.ts';
import {
  countPending,
  countWaiting,
  endUndo,
  rejectedOps,
  whenOutboxEmpty,
} from './outbox/outbox.ts';
import type { Connectivity, DeviceDb, SyncStatus } from './schema.ts';

export const initialStatus: SyncStatus = {
  id: 'status',
  connectivity: 'unknown',
  pulledAt: null,
  pullError: null,
  pullFailedAt: null,
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
export const watchSyncStatus = sharedLiveStore(readSummary);

/** Whether the server can be reached, live. Separate, because the rest of the status changes with every sent op. */
export function watchConnectivity(db: DeviceDb): LiveStore<Connectivity> {
  return select(watchSyncStatus(db), ({ connectivity }) => connectivity);
}

function readSummary(db: DeviceDb): Promise<SyncSummary> {
  return db.transaction('r', db.syncState, db.outbox, db.conflicts, async () => {
    const { id: _, ...status } = await readStatus(db);
    const rejected = await rejectedOps(db);
    const notDismissed = rejected.filter((op) => !op.isNoticed).length;
    return {
      ...status,
      rejectedCount: rejected.length,
      waitingCount: await countWaiting(db),
      noticeCount: notDismissed + (await db.conflicts.count()),
    };
  });
}

export async function readStatus(db: DeviceDb): Promise<SyncStatus> {
  const row = await db.syncState.get('status');
  return row?.id === 'status' ? { ...initialStatus, ...row } : initialStatus;
}

/** Requests a push and a pull now from the sync engine of the leading tab. Rejects if it cannot be written. */
export async function requestRound(db: DeviceDb): Promise<void> {
  await db.syncState.put({ id: 'request', nonce: newOpId() });
}

/** How long syncNow waits for the end of a pull. */
const pullEndMs = 10_000;

/**
 * Like requestRound. Resolves with the state of sync once a pull has succeeded or failed, and after ten seconds at the
 * latest.
 */
export async function syncNow(db: DeviceDb): Promise<SyncSummary> {
  const before = await readStatus(db);
  await requestRound(db);
  const hasEnded = ({ pulledAt, pullFailedAt }: SyncStatus) =>
    pulledAt !== before.pulledAt || pullFailedAt !== before.pullFailedAt;
  await whenRead(() => readStatus(db), hasEnded, pullEndMs);
  return readSummary(db);
}

/** How long trySendOutbox waits for the outbox to be sent, and for a database that does not respond. */
const sendTimeoutMs = 3_000;

/**
 * Tries to send the outbox before a sign-out, for a few seconds, including what could still be undone. Returns how many
 * changes are still only on this device; null if the database cannot be read or does not respond. Null does not mean 0:
 * a database that another tab blocks or has upgraded may still contain changes, and a sign-out would delete them. Never
 * rejects.
 */
export async function trySendOutbox(db: DeviceDb): Promise<number | null> {
  const count = () => {
    const late = new Promise<null>((resolve) => setTimeout(resolve, sendTimeoutMs, null));
    return Promise.race([countPending(db).catch(() => null), late]);
  };
  const before = await count();
  if (before === 0 || before === null) return before;
  // Errors are ignored: on a full device neither the end of the undo period nor the request can be stored, but the
  // engine may be sending anyway.
  void endUndo(db)
    .catch(() => undefined)
    .then(() => requestRound(db))
    .catch(() => undefined);
  await whenOutboxEmpty(db, sendTimeoutMs);
  return count();
}
