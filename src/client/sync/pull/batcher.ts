/** Writes added items at once; items added while a write runs are written together after it. */
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
export function singleFlight<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | null = null;
  return () => {
    loading ??= load().finally(() => {
      loading = null;
    });
    return loading;
  };
}
