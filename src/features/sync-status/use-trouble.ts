import { useCallback, useSyncExternalStore } from 'react';
import { openNow } from '#data/db.ts';
import { subscribeTrouble, type Trouble } from '#data/trouble.ts';
import { useDb } from '#session/current.tsx';

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
