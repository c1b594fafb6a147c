import { dayMs, minuteMs } from '#domain/time.ts';
import type { Database } from '../database/database.ts';
import type { Clock } from '../http/app-deps.ts';
import { accountsOf, type Pause, pauseUnlessStopped, withPause } from '../jobs/account-batches.ts';
import { type PeriodicJob, periodicJob, runJob } from '../jobs/job.ts';
import { recentReadings } from './queries.ts';
import { hourOf } from './series/summaries.ts';

export interface RetentionOptions {
  db: Database;
  clock: Clock;
  /** Readings are kept for this many days; 0: forever. */
  keepDays: number;
  /** Called with an error code. Messages are left out because they may contain row values. */
  onFailure: (code: string) => void;
  /** One day by default. */
  intervalMs?: number;
  /** Pause before a run that lost the connection to the database is repeated. Five minutes by default. */
  retryMs?: number;
  /** Maximum number of readings that one statement deletes. */
  batchSize?: number;
  /** Waits after each batch. */
  pause?: Pause;
}

/**
 * Deletes old readings at the start and then every day. A run that lost the connection to the database is repeated after
 * five minutes. It stores no progress: each batch is one statement, so it may be killed at any time and run in any number
 * of processes.
 */
export function createRetention(options: RetentionOptions): PeriodicJob {
  const { intervalMs = dayMs, retryMs = 5 * minuteMs } = options;
  return periodicJob(intervalMs, async (stopping) => {
    while (!(await deleteOldReadings(options, stopping))) {
      await pauseUnlessStopped(retryMs, stopping);
      if (stopping.aborted) return;
    }
  });
}

/** Deletes the old readings of all accounts. Resolves to false if the connection was lost. Never rejects. */
export async function deleteOldReadings(
  options: RetentionOptions,
  stopping?: AbortSignal,
): Promise<boolean> {
  const { db, clock, keepDays } = options;
  if (keepDays === 0) return true;
  const before = new Date(clock().getTime() - keepDays * dayMs);
  return await runJob(options, async (attempt) => {
    for await (const userId of accountsOf(db)) {
      if (stopping?.aborted) break;
      await attempt(() => deleteOfAccount(options, userId, before, stopping));
    }
  });
}

async function deleteOfAccount(
  { db, clock, batchSize = 200, pause = pauseUnlessStopped }: RetentionOptions,
  userId: string,
  before: Date,
  stopping: AbortSignal | undefined,
): Promise<void> {
  await db.pool.query({ name: 'keep-from', text: keepFrom, values: [userId, before, clock()] });
  const deleteBatch = () =>
    db.pool.query({
      name: 'delete-old-readings',
      text: deletion,
      values: [userId, before, batchSize, clock()],
    });
  let deleted = batchSize;
  while (deleted === batchSize && !stopping?.aborted) {
    const { rowCount } = await withPause(deleteBatch, pause, stopping);
    deleted = rowCount ?? 0;
  }
}

/**
 * SQL: records for each of the account's plants the time from which the readings are complete, so that earlier hours
 * are not rolled up again from incomplete readings. Waits while another process rolls up one of these plants. A plant
 * that is rolled up to a time in the future ($3: now) is left out until its roll-ups are corrected, because these may
 * lack readings.
 */
const keepFrom = `UPDATE rollup_progress SET kept_from = least($2::timestamptz, rolled_until)
  WHERE user_id = $1 AND rolled_until <= $3 AND coalesce(kept_from, '-infinity') < least($2::timestamptz, rolled_until)`;

/**
 * SQL: deletes a batch of the account's old readings. Keeps the newest of each plant, however old they are, for its
 * card, its health and its first chart. Also keeps readings that are not rolled up yet or whose hour is to be rolled up
 * again. Skips rows that another process is deleting.
 */
const deletion = `DELETE FROM sensor_logs WHERE user_id = $1 AND ctid = ANY (ARRAY(
  SELECT old.ctid FROM plants p JOIN rollup_progress r ON r.user_id = $1 AND r.plant_id = p.id AND r.rolled_until <= $4
  CROSS JOIN LATERAL (
    SELECT ctid FROM sensor_logs
    WHERE user_id = $1 AND plant_id = p.id
      AND ts < least($2::timestamptz, r.rolled_until, coalesce(r.kept_from, '-infinity')) AND ts < (
      SELECT ts FROM sensor_logs WHERE user_id = $1 AND plant_id = p.id
      ORDER BY ts DESC OFFSET ${recentReadings - 1} LIMIT 1)
      AND NOT EXISTS (SELECT FROM rollup_due d
        WHERE d.user_id = $1 AND d.plant_id = p.id AND d.hour = ${hourOf('ts')})
    ORDER BY ts LIMIT $3 FOR UPDATE SKIP LOCKED
  ) old
  WHERE p.user_id = $1 LIMIT $3))`;
