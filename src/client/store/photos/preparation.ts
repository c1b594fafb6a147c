const running = new Set<Promise<void>>();

/**
 * Remembers `work`, which prepares and stores chosen photos. Until it ends, some of the photos exist only in this page,
 * so the browser asks before it closes the page.
 */
export async function trackPreparation(work: Promise<void>): Promise<void> {
  const askFirst = (event: Event) => event.preventDefault();
  running.add(work);
  globalThis.addEventListener('beforeunload', askFirst);
  try {
    await work;
  } finally {
    globalThis.removeEventListener('beforeunload', askFirst);
    running.delete(work);
  }
}

/** Whether chosen photos are not stored on the device yet. */
export function isPreparingPhotos(): boolean {
  return running.size > 0;
}

/** Resolves once all chosen photos are stored or have failed. */
export async function untilPhotosStored(): Promise<void> {
  while (running.size > 0) await Promise.allSettled(running);
}
