import { useCallback, useSyncExternalStore } from 'react';
import { useDb } from '#client/session/current.tsx';
import { openNow } from '#client/store/schema.ts';
import { subscribeTrouble, type Trouble } from '#client/store/storage-problem.ts';

/** What is wrong with the device's database, if anything. */
export function useTrouble(): Trouble | null {
  const db = useDb();
  const subscribe = useCallback(
    (listener: () => void) => {
      openNow(db);
      return subscribeTrouble(db.trouble, listener);
    },
    [db],
  );
  return useSyncExternalStore(subscribe, () => db.trouble.current);
}
