import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../database/database.ts';

const accountsAtOnce = 1_000;

/**
 * The ids of all accounts, for jobs that work account by account. On a cluster, a statement for one account needs only
 * one machine.
 */
export async function* accountsOf({ pool }: Database): AsyncGenerator<string> {
  let last = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const { rows } = await pool.query<{ id: string }>({
      name: 'accounts-after',
      text: 'SELECT id FROM users WHERE id > $1 ORDER BY id LIMIT $2',
      values: [last, accountsAtOnce],
    });
    for (const { id } of rows) yield id;
    if (rows.length < accountsAtOnce) return;
    last = rows.at(-1)?.id ?? last;
  }
}

/**
 * After a batch, a job pauses for this multiple of the batch's duration. So batches run for at most a fifth of the
 * time, even if the database is slow.
 */
const pauseFactor = 4;

/** Waits for these ms, or until the signal aborts. */
export type Pause = (ms: number, signal: AbortSignal | undefined) => Promise<unknown>;

/** Waits without rejecting. */
export async function pauseUnlessStopped(
  ms: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined);
}

/** Runs a batch and pauses after it. Resolves to the batch's result. */
export async function withPause<T>(
  batch: () => Promise<T>,
  pause: Pause,
  stopping: AbortSignal | undefined,
): Promise<T> {
  const begun = performance.now();
  const result = await batch();
  await pause(pauseFactor * (performance.now() - begun), stopping);
  return result;
}
