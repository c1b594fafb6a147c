/**
 * Returns a function that starts `work`, never twice at a time: if it is called during a run, one more run follows.
 * Nothing runs once the signal has aborted. An error is logged after `failure`, and the next call runs again.
 */
export function singleFlight(
  signal: AbortSignal,
  failure: string,
  work: () => Promise<void>,
): () => void {
  let isRunning = false;
  let isRequested = false;

  async function runAll(): Promise<void> {
    isRunning = true;
    while (isRequested && !signal.aborted) {
      isRequested = false;
      await work().catch((error: unknown) => {
        if (!signal.aborted) console.warn(failure, error);
      });
    }
    isRunning = false;
  }

  return () => {
    isRequested = true;
    if (!isRunning) void runAll();
  };
}
