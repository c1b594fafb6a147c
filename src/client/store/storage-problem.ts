/**
 * What is wrong with the device's database, as far as a person has to know. updated: another tab installed a newer
 * version of it · removed: another tab signed out · denied: the browser is set to keep nothing · blocked: another tab
 * keeps an older version of it open · broken: it cannot be opened · full: the device had no room for what was just
 * done · unsaved: that could not be kept for another reason.
 */
export type StorageProblem =
  | 'updated'
  | 'removed'
  | 'denied'
  | 'blocked'
  | 'broken'
  | 'full'
  | 'unsaved';

/** Of one open database; live queries swallow what is said here. */
export interface StorageProblemLog {
  current: StorageProblem | null;
  readonly listeners: Set<() => void>;
}

export function newStorageProblemLog(): StorageProblemLog {
  return { current: null, listeners: new Set() };
}

/** Nothing can be kept any more in this page: a lesser trouble does not hide it. */
function isFinal(trouble: StorageProblem | null): boolean {
  return trouble === 'updated' || trouble === 'removed' || trouble === 'denied';
}

export function reportStorageProblem(log: StorageProblemLog, trouble: StorageProblem): void {
  if (!isFinal(log.current)) setStorageProblem(log, trouble);
}

/** One of the given troubles is over. */
export function clearStorageProblem(log: StorageProblemLog, ...over: StorageProblem[]): void {
  if (log.current && over.includes(log.current)) setStorageProblem(log, null);
}

/** Calls back on every change, until told to stop. */
export function subscribeStorageProblem(log: StorageProblemLog, listener: () => void): () => void {
  log.listeners.add(listener);
  return () => log.listeners.delete(listener);
}

function setStorageProblem(log: StorageProblemLog, trouble: StorageProblem | null): void {
  if (log.current === trouble) return;
  log.current = trouble;
  for (const listener of log.listeners) listener();
}
