/**
 * What is wrong with the device's database, as far as a person has to know. updated: another tab installed a newer
 * version of it · removed: another tab signed out · denied: the browser is set to keep nothing · blocked: another tab
 * keeps an older version of it open · broken: it cannot be opened · full: the device had no room for what was just
 * done · unsaved: that could not be kept for another reason.
 */
export type Trouble = 'updated' | 'removed' | 'denied' | 'blocked' | 'broken' | 'full' | 'unsaved';

/** Of one open database; live queries swallow what is said here. */
export interface TroubleLog {
  current: Trouble | null;
  readonly listeners: Set<() => void>;
}

export function newTroubleLog(): TroubleLog {
  return { current: null, listeners: new Set() };
}

/** Nothing can be kept any more in this page: a lesser trouble does not hide it. */
function isFinal(trouble: Trouble | null): boolean {
  return trouble === 'updated' || trouble === 'removed' || trouble === 'denied';
}

export function reportTrouble(log: TroubleLog, trouble: Trouble): void {
  if (!isFinal(log.current)) setTrouble(log, trouble);
}

/** One of the given troubles is over. */
export function endTrouble(log: TroubleLog, ...over: Trouble[]): void {
  if (log.current && over.includes(log.current)) setTrouble(log, null);
}

/** Calls back on every change, until told to stop. */
export function subscribeTrouble(log: TroubleLog, listener: () => void): () => void {
  log.listeners.add(listener);
  return () => log.listeners.delete(listener);
}

function setTrouble(log: TroubleLog, trouble: Trouble | null): void {
  if (log.current === trouble) return;
  log.current = trouble;
  for (const listener of log.listeners) listener();
}
