import { setTimeout as sleep } from 'node:timers/promises';

export interface PeriodicJob {
  start(): void;
  /** Runs the job again at once, or as soon as the current run has ended. */
  wake(): void;
  /** Starts no further run, and resolves when the current run has ended. */
  stop(): Promise<void>;
}

/** Runs a job again and again, with `pauseMs` between two runs. `run` must never reject. */
export function periodicJob(
  pauseMs: number,
  run: (stopping: AbortSignal) => Promise<void>,
): PeriodicJob {
  const stopping = new AbortController();
  let pause = new AbortController();
  let running = Promise.resolve();

  async function loop(): Promise<void> {
    while (!stopping.signal.aborted) {
      pause = new AbortController();
      await run(stopping.signal);
      await sleep(pauseMs, undefined, { signal: pause.signal }).catch(() => undefined);
    }
  }

  return {
    start: () => {
      running = loop();
    },
    wake: () => pause.abort(),
    stop: async () => {
      stopping.abort();
      pause.abort();
      await running;
    },
  };
}
