/**
 * Runs `work`, which changes the browser's push subscription and the stored endpoint, while neither another tab nor the
 * service worker does so: otherwise each would end the subscription that another one has just made.
 */
export function withPushLock(work: () => Promise<void>): Promise<void> {
  // Web Locks are missing over plain http, where there is no service worker either, and in Node.js before 24.5.
  const locks: Pick<LockManager, 'request'> | undefined = globalThis.navigator?.locks;
  return locks ? locks.request('push subscription', work) : work();
}
