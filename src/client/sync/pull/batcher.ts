/** Takes what is added: at once, or, while it is still busy with what came before, all of it together next. */
export interface Together<T> {
  add: (item: T) => void;
  /** Resolves once all that was added is taken; rejects when taking failed, and nothing is taken from then on. */
  end: () => Promise<void>;
}

export function together<T>(take: (items: T[]) => Promise<void>): Together<T> {
  const added: T[] = [];
  let taking = Promise.resolve();
  return {
    add: (item) => {
      added.push(item);
      if (added.length > 1) return;
      taking = taking.then(() => take(added.splice(0)));
      // A failure is for whoever waits for the end.
      taking.catch(() => undefined);
    },
    end: () => taking,
  };
}

/** Asks once for all who want to know at the same time. */
export function shared<T>(ask: () => Promise<T>): () => Promise<T> {
  let asking: Promise<T> | null = null;
  return () => {
    asking ??= ask().finally(() => {
      asking = null;
    });
    return asking;
  };
}
