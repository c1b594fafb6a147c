/** Runs invisible work when the page has nothing else to do, at the latest after 5 s. */
export function whenIdle(work: () => void): void {
  if ('requestIdleCallback' in window) window.requestIdleCallback(work, { timeout: 5_000 });
  else work();
}
