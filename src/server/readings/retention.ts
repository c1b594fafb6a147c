import { setTimeout as sleep } from 'node:timers/promises';
import { dayMs } from '#domain/time.ts';
import type { Database } from '../database/database.ts';
import { isConnectionLost } from '../database/lost-connections.ts';
import type { Clock } from '../http/app-deps.ts';
import { type PeriodicJob, periodicJob } from '../jobs/periodic-job.ts';
import { recentReadings } from './queries.ts';

export interface RetentionOptions {
  db: Database;
  clock: Clock;
  /** Readings are kept for this many days; 0: for ever. */
  keepDays: number;
  /** Called with an error code. Messages are left out because they may contain row values. */
  onFailure: (code: string) => void;
  /** One day by default. */
  intervalMs?: number;
  /** Maximum number of readings that one statement deletes. */
  batchSize?: number;
  /** Waits between two batches. */
  pause?: (ms: number, signal: AbortSignal | undefined) => Promise<unknown>;
}

/**
 * After a batch the job rests this many times as long as the batch took. So it never takes more than a fifth of the
 * database's time, however slow that is.
 */
const restFactor = 4;
const accountsAtOnce = 1_000;

/**
 * Deletes old readings at the start and then every day. It stores no progress: each batch is one statement, so it may be
 * killed at any time and run in any number of processes.
 */
export function createRetention(options: RetentionOptions): PeriodicJob {
  const run = (stopping: AbortSignal) => deleteOldReadings(options, stopping);
  return periodicJob(options.intervalMs ?? dayMs, run);
}

/** Deletes the old readings of all accounts. Never rejects. */
export async function deleteOldReadings(
  options: RetentionOptions,
  stopping?: AbortSignal,
): Promise<void> {
  const { db, clock, keepDays, onFailure } = options;
  if (keepDays === 0) return;
  const before = new Date(clock().getTime() - keepDays * dayMs);
  try {
    for await (const userId of accountsOf(db)) {
      if (stopping?.aborted) return;
      await deleteOfAccount(options, userId, before, stopping);
    }
  } catch (error) {
    if (isConnectionLost(error)) db.recover();
    else onFailure((error as Error & { code?: string }).code ?? (error as Error).name);
  }
}

async function* accountsOf({ pool }: Database): AsyncGenerator<string> {
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

async function deleteOfAccount(
  { db, batchSize = 200, pause = rest }: RetentionOptions,
  userId: string,
  before: Date,
  stopping: AbortSignal | undefined,
): Promise<void> {
  let deleted = batchSize;
  while (deleted === batchSize && !stopping?.aborted) {
    const begun = performance.now();
    const { rowCount } = await db.pool.query({
      name: 'delete-old-readings',
      text: deletion,
      values: [userId, before, batchSize],
    });
    deleted = rowCount ?? 0;
    await pause(restFactor * (performance.now() - begun), stopping);
  }
}

async function rest(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined);
}

/**
 * SQL: deletes a batch of the account's old readings, except the newest of each plant, however old they are: its card,
 * its health and its first chart show those. Skips rows that another process is deleting.
 */
const deletion = `DELETE FROM sensor_logs WHERE user_id = $1 AND ctid = ANY (ARRAY(
  SELECT old.ctid FROM plants p CROSS JOIN LATERAL (
    SELECT ctid FROM sensor_logs
    WHERE user_id = $1 AND plant_id = p.id AND ts < $2 AND ts < (
      SELECT ts FROM sensor_logs WHERE user_id = $1 AND plant_id = p.id
      ORDER BY ts DESC OFFSET ${recentReadings - 1} LIMIT 1)
    ORDER BY ts LIMIT $3 FOR UPDATE SKIP LOCKED
  ) old
  WHERE p.user_id = $1 LIMIT $3))`;
