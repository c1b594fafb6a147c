import type { DeviceDb } from '#client/store/schema.ts';

/**
 * Runs `work` while holding the account's lock, and tells it whether that keeps others away; rejects with AbortError
 * when the signal came first.
 */
export type HoldLock = (
  name: string,
  signal: AbortSignal,
  work: (isAlone: boolean) => Promise<void>,
) => Promise<void>;

/** Does `work` if nobody else holds the account's lock, else answers null. */
export type TryLock = <T>(name: string, work: () => Promise<T>) => Promise<T | null>;

/** Whoever holds it is the only one who sends for this account. */
export function syncLockOf({ name }: Pick<DeviceDb, 'name'>): string {
  return `sync ${name}`;
}

/** One leader per account over all tabs. Without Web Locks (plain http) every tab leads; keys keep it exactly once. */
export const holdWebLock: HoldLock = async (name, signal, work) => {
  if ('locks' in navigator) await navigator.locks.request(name, { signal }, () => work(true));
  else await work(false);
};

/** For a service worker, which there is only where there are locks. */
export const tryWebLock: TryLock = (name, work) =>
  navigator.locks.request(name, { ifAvailable: true }, async (lock) => (lock ? work() : null));
