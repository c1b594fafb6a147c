import { setTimeout as sleep } from 'node:timers/promises';

/**
 * After a batch a job rests this many times as long as the batch took. So it never takes more than a fifth of the
 * database's time, however slow that is.
 */
const restFactor = 4;

/** Waits for these ms, or until the signal aborts. */
export type Pause = (ms: number, signal: AbortSignal | undefined) => Promise<unknown>;

/** Waits without rejecting. */
export async function pauseUnlessStopped(
  ms: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined);
}

/** Runs a batch and rests after it. Resolves to the batch's result. */
export async function withRest<T>(
  batch: () => Promise<T>,
  pause: Pause,
  stopping: AbortSignal | undefined,
): Promise<T> {
  const begun = performance.now();
  const result = await batch();
  await pause(restFactor * (performance.now() - begun), stopping);
  return result;
}
