import { useObservable } from 'dexie-react-hooks';
import { useCallback, useSyncExternalStore } from 'react';
import { useDb } from '#client/session/current.tsx';
import { subscribeTrouble } from '#client/store/storage-problem.ts';
import { watchSyncStatus } from '#client/store/sync-status.ts';
import { inSlices } from './in-slices.ts';

/** How the first pull of this account on this device stands; what cannot be read has failed too. */
export function useFirstLoad(): 'loading' | 'failed' | 'done' {
  const db = useDb();
  // In the order of news: that there are no plants is not said while the first of them are still being drawn.
  const status = useObservable(() => inSlices(watchSyncStatus(db)), [db]);
  const subscribe = useCallback(
    (listener: () => void) => subscribeTrouble(db.trouble, listener),
    [db],
  );
  const trouble = useSyncExternalStore(subscribe, () => db.trouble.current);
  if (!status) return trouble === 'broken' || trouble === 'denied' ? 'failed' : 'loading';
  if (status.pulledAt !== null) return 'done';
  return status.pullError === null ? 'loading' : 'failed';
}
