/** Whether a page, or another event of a service worker, waits for the lock that this context holds. */
export async function isWebLockAwaited(name: string): Promise<boolean> {
  const { pending = [] } = await navigator.locks.query();
  return pending.some((request) => request.name === name);
}
