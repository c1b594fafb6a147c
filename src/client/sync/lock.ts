import type { DeviceDb } from '#client/store/schema.ts';

/** Runs `work` while holding the account's lock; rejects with AbortError when the signal aborts first. */
export type WithLock = (
  name: string,
  signal: AbortSignal,
  work: () => Promise<void>,
) => Promise<void>;

/** Runs `work` once the account's lock is free; returns null without running it if the lock is held for too long. */
export type TryLock = <T>(name: string, work: () => Promise<T>) => Promise<T | null>;

/** The name of the account's lock. Only its holder, an engine or the service worker, sends for this account. */
export function syncLockOf({ name }: Pick<DeviceDb, 'name'>): string {
  return `sync ${name}`;
}

/**
 * One leader per account over all tabs. Without Web Locks (plain http) every tab leads, but the server still applies
 * each op only once, because of its idempotency key.
 */
export const withWebLock: WithLock = async (name, signal, work) => {
  if ('locks' in navigator) await navigator.locks.request(name, { signal }, work);
  else await work();
};

/**
 * How long to wait for the lock: the worker of a closed page may hold it for up to two seconds, but no longer sends.
 */
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
