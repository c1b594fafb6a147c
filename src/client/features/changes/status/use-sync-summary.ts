import { useObservable } from 'dexie-react-hooks';
import { useDb } from '#client/session/current.tsx';
import { type SyncSummary, watchSyncStatus } from '#client/store/sync-status.ts';

/** What sync says of itself; undefined until the device's database has answered. */
export function useSyncSummary(): SyncSummary | undefined {
  const db = useDb();
  return useObservable(() => watchSyncStatus(db), [db]);
}
