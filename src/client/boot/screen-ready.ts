/** A screen that never gets ready must not stay hidden behind its picture. */
const longestWaitMs = 4_000;
/** Parts of the screen come from queries of their own. */
const quietMs = 50;

/** The screen stands, nothing more comes into it, and it has been painted. */
export async function untilReady(root: HTMLElement): Promise<void> {
  await new Promise<void>((resolve) => {
    const latest = setTimeout(done, longestWaitMs);
    let quiet = isReady(root) ? setTimeout(done, quietMs) : undefined;
    const observer = new MutationObserver(() => {
      clearTimeout(quiet);
      quiet = isReady(root) ? setTimeout(done, quietMs) : undefined;
    });
    observer.observe(root, { childList: true, subtree: true });
    function done(): void {
      clearTimeout(latest);
      observer.disconnect();
      resolve();
    }
  });
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
}

export function isReady(root: HTMLElement): boolean {
  return root.querySelector('main') !== null && root.querySelector('[data-loading]') === null;
}
