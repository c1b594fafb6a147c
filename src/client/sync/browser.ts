import type { SyncContext } from './context.ts';

/** The engine's outside world where it runs for real: a worker, a page or a service worker. */
export const browser: Pick<SyncContext, 'fetch' | 'now' | 'random' | 'isOnline'> = {
  fetch: (url, init) => fetch(url, init),
  now: Date.now,
  random: Math.random,
  isOnline: () => navigator.onLine,
};
