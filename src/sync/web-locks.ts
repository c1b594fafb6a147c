import type { HoldLock } from './create-sync.ts';

/** One leader per account over all tabs. Without Web Locks (plain http) every tab leads; keys keep it exactly once. */
export const holdWebLock: HoldLock = async (name, signal, work) => {
  if ('locks' in navigator) await navigator.locks.request(name, { signal }, work);
  else await work();
};
