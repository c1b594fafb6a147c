export interface Sleeper {
  /** Ends the current sleep. If nobody sleeps, the next sleep ends at once. */
  wake: () => void;
  /** Resolves after `ms`, after `wake`, or when the signal aborts. */
  sleep: (ms: number) => Promise<void>;
}

/** The longest delay of setTimeout, which fires at once for a longer one. */
const longestTimerMs = 2_147_483_647;

export function createSleeper(signal: AbortSignal): Sleeper {
  let isWoken = false;
  let endSleep: (() => void) | null = null;
  const wake = () => {
    isWoken = true;
    endSleep?.();
  };
  signal.addEventListener('abort', wake);
  return {
    wake,
    sleep: async (ms) => {
      if (!isWoken && !signal.aborted && ms > 0) {
        let timer: ReturnType<typeof setTimeout> | undefined;
        await new Promise<void>((resolve) => {
          endSleep = resolve;
          timer = setTimeout(resolve, Math.min(ms, longestTimerMs));
        });
        clearTimeout(timer);
      }
      endSleep = null;
      isWoken = false;
    },
  };
}
