import { setTimeout as sleep } from 'node:timers/promises';

export interface Rounds {
  start(): void;
  /** Begins the next round at once, or as soon as the one on its way is done. */
  wake(): void;
  /** Resolves when the round on its way is done; there is no other. */
  stop(): Promise<void>;
}

/** Does a job round after round, `pauseMs` apart. A round must never reject. */
export function createRounds(
  pauseMs: number,
  round: (stopping: AbortSignal) => Promise<void>,
): Rounds {
  const stopping = new AbortController();
  let pause = new AbortController();
  let running = Promise.resolve();

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      pause = new AbortController();
      await round(stopping.signal);
      await sleep(pauseMs, undefined, { signal: pause.signal }).catch(() => undefined);
    }
  }

  return {
    start: () => {
      running = run();
    },
    wake: () => pause.abort(),
    stop: async () => {
      stopping.abort();
      pause.abort();
      await running;
    },
  };
}
