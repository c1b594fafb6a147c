export interface Alarm {
  ring: () => void;
  /** Until ms have passed, the alarm rings, or the signal aborts; a ring while awake ends the next sleep at once. */
  sleep: (ms: number) => Promise<void>;
}

const longestTimerMs = 2_147_483_647;

export function createAlarm(signal: AbortSignal): Alarm {
  let rung = false;
  let wake: (() => void) | null = null;
  const ring = () => {
    rung = true;
    wake?.();
  };
  signal.addEventListener('abort', ring);
  return {
    ring,
    sleep: async (ms) => {
      if (!rung && !signal.aborted && ms > 0) {
        let timer: ReturnType<typeof setTimeout> | undefined;
        await new Promise<void>((resolve) => {
          wake = resolve;
          timer = setTimeout(resolve, Math.min(ms, longestTimerMs));
        });
        clearTimeout(timer);
      }
      wake = null;
      rung = false;
    },
  };
}
