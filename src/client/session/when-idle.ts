/** Runs `work` when the page is idle, at the latest after 5 s; at once if the browser has no requestIdleCallback. */
export function whenIdle(work: () => void): void {
  if ('requestIdleCallback' in window) window.requestIdleCallback(work, { timeout: 5_000 });
  else work();
}
