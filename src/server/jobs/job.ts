import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../database/database.ts';
import { isConnectionLost } from '../database/lost-connections.ts';

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

interface FailureOptions {
  db: Pick<Database, 'recover'>;
  /**
   * Called with the code of an error, but not for a lost connection. Messages are left out because they may contain row
   * values.
   */
  onFailure: (code: string) => void;
}

/**
 * Runs a job. The job passes the work for each account or plant to `attempt`. If the work for one of them fails, the
 * job continues with the others. A lost connection ends the job, because the others would fail too. Each error code is
 * reported once, at the end. Resolves to false if the connection was lost. Never rejects.
 */
export async function runJob(
  options: FailureOptions,
  job: (attempt: (work: () => Promise<void>) => Promise<void>) => Promise<void>,
): Promise<boolean> {
  let isConnected = true;
  const codes = new Set<string>();
  const collect = { ...options, onFailure: (code: string) => void codes.add(code) };
  try {
    await job(async (work) => {
      try {
        await work();
      } catch (error) {
        if (isConnectionLost(error)) throw error;
        reportFailure(collect, error);
      }
    });
  } catch (error) {
    isConnected = !isConnectionLost(error);
    reportFailure(collect, error);
  }
  for (const code of codes) options.onFailure(code);
  return isConnected;
}

/** Handles the error of a job: calls `recover` if the connection to the database was lost, otherwise reports it. */
export function reportFailure({ db, onFailure }: FailureOptions, error: unknown): void {
  if (isConnectionLost(error)) db.recover();
  else onFailure(codeOf(error));
}

/**
 * The code of the error's cause, or of the error if it has no cause. Without a code, its name. Never the message: it
 * may contain row values.
 */
export function codeOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(cause instanceof Error)) return 'unknown';
  return 'code' in cause ? String(cause.code) : cause.name;
}
