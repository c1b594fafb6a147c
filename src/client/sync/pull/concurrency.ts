/** Writes an added item immediately; items added while a write runs are written together after it. */
export interface Batcher<T> {
  add: (item: T) => void;
  /** Resolves once everything added is written; rejects when a write failed, and nothing is written from then on. */
  flush: () => Promise<void>;
}

export function createBatcher<T>(write: (items: T[]) => Promise<void>): Batcher<T> {
  const added: T[] = [];
  let writing = Promise.resolve();
  return {
    add: (item) => {
      added.push(item);
      if (added.length > 1) return;
      writing = writing.then(() => write(added.splice(0)));
      // `flush` reports the failure.
      writing.catch(() => undefined);
    },
    flush: () => writing,
  };
}

/** Calls that overlap share one load. */
export function shareLoad<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | null = null;
  return () => {
    loading ??= load().finally(() => {
      loading = null;
    });
    return loading;
  };
}

/**
 * Returns a function that starts `work`, never twice at a time: if it is called during a run, one more run follows.
 * Nothing runs once the signal has aborted. An error is logged with the text `failure`, and the next call runs again.
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
