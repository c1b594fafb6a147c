import { useObservable } from 'dexie-react-hooks';
import { watchSyncStatus } from '#data/sync-status.ts';
import { useDb } from '#session/current.tsx';

/** How the first pull of this account on this device stands. */
export function useFirstLoad(): 'loading' | 'failed' | 'done' {
  const db = useDb();
  const status = useObservable(() => watchSyncStatus(db), [db]);
  if (!status) return 'loading';
  if (status.pulledAt !== null) return 'done';
  return status.pullError === null ? 'loading' : 'failed';
}
