import type { DeviceDb } from '#client/store/schema.ts';

/** Runs `work` while holding the account's lock; rejects with AbortError when the signal aborts first. */
export type WithLock = (
  name: string,
  signal: AbortSignal,
  work: () => Promise<void>,
) => Promise<void>;

/** Runs `work` once the account's lock is free; returns null without running it if the lock is held for too long. */
export type TryLock = <T>(name: string, work: () => Promise<T>) => Promise<T | null>;

/** The name of the account's lock. Only the engine that holds it sends for this account. */
export function syncLockOf({ name }: Pick<DeviceDb, 'name'>): string {
  return `sync ${name}`;
}

/**
 * One leader per account over all tabs. Without Web Locks (plain http) every tab leads: idempotency keys
 * still apply each op once.
 */
export const withWebLock: WithLock = async (name, signal, work) => {
  if ('locks' in navigator) await navigator.locks.request(name, { signal }, work);
  else await work();
};

/** After a page was closed, its worker may hold the lock for up to two seconds, but it no longer sends anything. */
const closingPageMs = 3_000;

/** For a service worker, which exists only where Web Locks do. */
export const tryWebLock: TryLock = async (name, work) => {
  const signal = AbortSignal.timeout(closingPageMs);
  try {
    return await navigator.locks.request(name, { signal }, work);
  } catch (error) {
    if (error === signal.reason) return null;
    throw error;
  }
};
