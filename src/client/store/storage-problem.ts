/**
 * A problem of the device's database that a person has to know about. updated: another tab installed a newer version ·
 * removed: another tab signed out · denied: the browser does not allow storage · blocked: another tab has an older
 * version open · broken: it cannot be opened or read · full: the device had no room for the last change · unsaved: the
 * last change could not be stored for another reason.
 */
export type StorageProblem =
  | 'updated'
  | 'removed'
  | 'denied'
  | 'blocked'
  | 'broken'
  | 'full'
  | 'unsaved';

/** The current problem of one open database. */
export interface StorageProblemLog {
  current: StorageProblem | null;
  readonly listeners: Set<() => void>;
}

export function newStorageProblemLog(): StorageProblemLog {
  return { current: null, listeners: new Set() };
}

/** Whether this page can no longer store anything. No later problem replaces such a problem. */
function isFinal(problem: StorageProblem | null): boolean {
  return problem === 'updated' || problem === 'removed' || problem === 'denied';
}

export function reportStorageProblem(log: StorageProblemLog, problem: StorageProblem): void {
  if (!isFinal(log.current)) setStorageProblem(log, problem);
}

/** Clears the current problem if it is one of the given ones. */
export function clearStorageProblem(log: StorageProblemLog, ...solved: StorageProblem[]): void {
  if (log.current && solved.includes(log.current)) setStorageProblem(log, null);
}

/** Calls `listener` on every change; returns a function that unsubscribes. */
export function subscribeStorageProblem(log: StorageProblemLog, listener: () => void): () => void {
  log.listeners.add(listener);
  return () => log.listeners.delete(listener);
}

function setStorageProblem(log: StorageProblemLog, problem: StorageProblem | null): void {
  if (log.current === problem) return;
  log.current = problem;
  for (const listener of log.listeners) listener();
}
