import { useCallback, useEffect, useSyncExternalStore } from 'react';
import { useDb } from '#client/session/current.tsx';
import { openNow } from '#client/store/database.ts';
import { isFirstTime } from '#client/store/meta.ts';
import { type StorageProblem, subscribeStorageProblem } from '#client/store/storage-problem.ts';

/** The current problem of the device's database, if any. */
export function useStorageProblem(): StorageProblem | null {
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

/**
 * Asks the browser for persistent storage, as soon as there are changes that exist only on this device: once in the
 * browser, and once more in the installed app, because Chrome grants it to installed apps without a question.
 */
export function usePersistentStorage(hasUnsentChanges: boolean): void {
  const db = useDb();
  // Not during rendering, because the browser may show a permission prompt.
  useEffect(() => {
    if (!hasUnsentChanges || !navigator.storage?.persist) return;
    isFirstTime(db, isInstalled() ? 'asked-to-persist-installed' : 'asked-to-persist')
      .then((isFirst) => isFirst && navigator.storage.persist())
      .catch((error: Error) => console.warn('Storage may be cleared:', error.message));
  }, [db, hasUnsentChanges]);
}

/** Whether the page was opened from the home screen. */
function isInstalled(): boolean {
  return navigator.standalone === true || matchMedia('(display-mode: standalone)').matches;
}
