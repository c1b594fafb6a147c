import { useCallback, useSyncExternalStore } from 'react';
import { useDb } from '#client/session/current.tsx';
import { openNow } from '#client/store/schema.ts';
import { type StorageProblem, subscribeStorageProblem } from '#client/store/storage-problem.ts';

/** What is wrong with the device's database, if anything. */
export function useTrouble(): StorageProblem | null {
  const db = useDb();
  const subscribe = useCallback(
    (listener: () => void) => {
      openNow(db);
      return subscribeStorageProblem(db.storageProblem, listener);
    },
    [db],
  );
  return useSyncExternalStore(subscribe, () => db.storageProblem.current);
}
