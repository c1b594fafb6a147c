import { useEffect } from 'react';
import { useDb } from '#client/session/current.tsx';
import { isFirstTime } from '#client/store/first-time.ts';

/** Asks the browser once to keep what is here, when there is something that is nowhere else. */
export function useLastingStorage(hasOwnChanges: boolean): void {
  const db = useDb();
  // The browser is asked, and may ask the person: no part of rendering.
  useEffect(() => {
    if (!hasOwnChanges || !navigator.storage?.persist) return;
    isFirstTime(db, 'asked-to-persist')
      .then((isFirst) => isFirst && navigator.storage.persist())
      .catch((error: Error) => console.warn('Storage may be cleared:', error.message));
  }, [db, hasOwnChanges]);
}
