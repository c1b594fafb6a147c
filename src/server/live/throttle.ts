export interface Throttled {
  (key: string): void;
  /** Runs the pending calls now. */
  flush: () => void;
}

/**
 * Runs `run(key)` at most once per `everyMs` for each key: at once for the first call of an interval, and once at the
 * end of the interval for all further calls.
 */
export function throttleByKey(everyMs: number, run: (key: string) => void): Throttled {
  /** Keys whose `run` was called within the last interval, and whether another call is pending. */
  const recent = new Map<string, { isPending: boolean }>();

  function start(key: string): void {
    const state = { isPending: false };
    recent.set(key, state);
    run(key);
    // The timer must not keep the process alive. A caller that must not lose pending calls when it stops has to call
    // `flush`.
    setTimeout(() => {
      if (state.isPending) start(key);
      else recent.delete(key);
    }, everyMs).unref();
  }

  function call(key: string): void {
    const state = recent.get(key);
    if (state) state.isPending = true;
    else start(key);
  }

  function flush(): void {
    for (const [key, state] of recent) {
      if (state.isPending) run(key);
      state.isPending = false;
    }
  }

  return Object.assign(call, { flush });
}
