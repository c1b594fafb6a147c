import type { DeviceDb } from '#client/store/schema.ts';

/** Runs `work` while holding the account's lock; rejects with AbortError when the signal aborts first. */
export type WithLock = (
  name: string,
  signal: AbortSignal,
  work: () => Promise<void>,
) => Promise<void>;

/** Runs `work` if nobody else holds the account's lock, else returns null. */
export type TryLock = <T>(name: string, work: () => Promise<T>) => Promise<T | null>;

/** Its holder is the only engine that sends for this account. */
export function syncLockOf({ name }: Pick<DeviceDb, 'name'>): string {
  return `sync ${name}`;
}

/**
 * One leader per account over all tabs. Without Web Locks (plain http) every tab leads: claims and idempotency keys
 * still send each op once.
 */
export const withWebLock: WithLock = async (name, signal, work) => {
  if ('locks' in navigator) await navigator.locks.request(name, { signal }, work);
  else await work();
};

/** For a service worker, which exists only where Web Locks do. */
export const tryWebLock: TryLock = (name, work) =>
  navigator.locks.request(name, { ifAvailable: true }, async (lock) => (lock ? work() : null));
