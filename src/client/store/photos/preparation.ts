let running = 0;

/** Runs `work`, which prepares and stores chosen photos. Until it ends, the photos exist only in this page. */
export async function preparePhotos(work: () => Promise<void>): Promise<void> {
  running += 1;
  try {
    await work();
  } finally {
    running -= 1;
  }
}

/** Whether chosen photos are not stored on the device yet. */
export function isPreparingPhotos(): boolean {
  return running > 0;
}
