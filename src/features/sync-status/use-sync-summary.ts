import { useObservable } from 'dexie-react-hooks';
import { type SyncSummary, watchSyncStatus } from '#data/sync-status.ts';
import { useDb } from '#session/current.tsx';

/** What sync says of itself; undefined until the device's database has answered. */
export function useSyncSummary(): SyncSummary | undefined {
  const db = useDb();
  return useObservable(() => watchSyncStatus(db), [db]);
}
