import { useObservable } from 'dexie-react-hooks';
import { useState } from 'react';
import { useDb } from '#client/session/current.tsx';
import { type SyncSummary, watchSyncStatus } from '#client/store/sync-status.ts';

/**
 * Whether a plant's readings are still on their way: its latest values come first, and a pull is complete only when
 * the readings of every plant have come or failed.
 */
export function useLogsAwaited(hasLatest: boolean): boolean {
  const db = useDb();
  const status = useObservable(() => watchSyncStatus(db), [db]);
  // The last pull that brought no latest values: nothing was asked for after it.
  const [pullBefore, setPullBefore] = useState<SyncSummary['pulledAt']>(null);
  if (!hasLatest && status && status.pulledAt !== pullBefore) setPullBefore(status.pulledAt);
  if (!status) return true;
  const { connectivity, pullError, pulledAt } = status;
  const isCut = connectivity === 'offline' || connectivity === 'unreachable' || pullError !== null;
  return !isCut && pulledAt === pullBefore;
}
