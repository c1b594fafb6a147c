import { useObservable } from 'dexie-react-hooks';
import { useDb } from '#client/session/current.tsx';
import type { DeviceDb } from '#client/store/schema.ts';
import { requestSync, watchSyncStatus } from '#client/store/sync-status.ts';
import { useStorageProblem } from '../changes/status/device-storage.ts';
import { withTransition } from './with-transition.ts';

/** The state of this account's first pull on this device. A database that cannot be read counts as failed. */
export function useFirstLoad(): 'loading' | 'failed' | 'done' {
  const db = useDb();
  // Deferred like the list of plants, so that the empty state never flashes before it.
  const status = useObservable(() => withTransition(watchSyncStatus(db)), [db]);
  const problem = useStorageProblem();
  if (!status) return problem === 'broken' || problem === 'denied' ? 'failed' : 'loading';
  if (status.pulledAt !== null) return 'done';
  return status.pullError === null ? 'loading' : 'failed';
}

/** Asks the server again. A page that cannot even write that request to the database reloads. */
export function retryLoad(db: DeviceDb): void {
  requestSync(db).catch(() => window.location.reload());
}
