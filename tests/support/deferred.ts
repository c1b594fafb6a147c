export interface Deferred {
  promise: Promise<void>;
  resolve: () => void;
}

/** A promise that is resolved from outside. */
export function deferred(): Deferred {
  let keep: (() => void) | undefined;
  const promise = new Promise<void>((resolve) => {
    keep = resolve;
  });
  return { promise, resolve: () => keep?.() };
}
