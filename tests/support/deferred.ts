export interface Deferred {
  promise: Promise<void>;
  resolve: () => void;
  reject: (error: Error) => void;
}

/** A promise that is resolved or rejected from outside. */
export function deferred(): Deferred {
  let keep: (() => void) | undefined;
  let fail: ((error: Error) => void) | undefined;
  const promise = new Promise<void>((resolve, reject) => {
    keep = resolve;
    fail = reject;
  });
  return { promise, resolve: () => keep?.(), reject: (error) => fail?.(error) };
}
