import { hourMs } from '#domain/time.ts';
import type { Database } from '../database/database.ts';
import type { Clock } from '../http/app-deps.ts';
import { deleteOfAccount, forEachAccount, forgetOfAccount } from './delete-by-account.ts';
import { type PeriodicJob, periodicJob, runJob } from './job.ts';

export interface HousekeepingOptions {
  db: Database;
  clock: Clock;
  /**
   * Called with the code of an error, but not for a lost connection. Messages are left out because they may contain row
   * values.
   */
  onFailure: (code: string) => void;
  /** One hour by default. */
  intervalMs?: number;
  /** Maximum number of rows that one statement deletes. */
  batchSize?: number;
}

/** How long the response to an Idempotency-Key is kept, as the API promises. */
const keyLifetimeMs = 90 * 24 * hourMs;

/** How long deletions are recorded for deltas. A device that was offline for longer may get the whole list. */
const deletionLifetimeMs = 30 * 24 * hourMs;

/** Tables whose rows expire: `keepMs` after the time in `column`. */
const expiringTables = [
  { table: 'sessions', column: 'expires_at', keepMs: 0 },
  { table: 'account_tokens', column: 'expires_at', keepMs: 0 },
  { table: 'rate_limits', column: 'resets_at', keepMs: 0 },
  { table: 'idempotency_keys', column: 'created_at', keepMs: keyLifetimeMs },
] as const;

/** Deletes expired rows at the start and then every hour. Any number of processes may run it. */
export function createHousekeeping(options: HousekeepingOptions): PeriodicJob {
  return periodicJob(options.intervalMs ?? hourMs, (stopping) => deleteExpired(options, stopping));
}

/** Deletes the expired rows of `expiringTables` and the records of old deletions. Never rejects. */
export async function deleteExpired(
  options: HousekeepingOptions,
  stopping?: AbortSignal,
): Promise<void> {
  await runJob(options, async (attempt) => {
    for (const expiring of expiringTables) {
      await attempt(() => deleteExpiredRows(options, expiring, stopping));
    }
    await attempt(() => forgetDeletions(options, stopping));
  });
}

async function deleteExpiredRows(
  { db, clock, batchSize = 1_000 }: HousekeepingOptions,
  { table, column, keepMs }: (typeof expiringTables)[number],
  stopping?: AbortSignal,
): Promise<void> {
  const expired = { table, column, before: new Date(clock().getTime() - keepMs), batchSize };
  if (db.isDistributed && table !== 'rate_limits') {
    await forEachAccount(db, expired, stopping, (id) => deleteOfAccount(db, expired, id));
    return;
  }
  let deleted = batchSize;
  while (deleted === batchSize && !stopping?.aborted) deleted = await deleteBatch(db, expired);
}

/** Skips rows that another process is deleting or using. */
async function deleteBatch(
  db: Database,
  batch: { table: string; column: string; before: Date; batchSize: number },
): Promise<number> {
  const { table, column, before, batchSize } = batch;
  const { rowCount } = await db.pool.query(
    `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
       SELECT ctid FROM ${table} WHERE ${column} <= $1 LIMIT $2 FOR UPDATE SKIP LOCKED))`,
    [before, batchSize],
  );
  return rowCount ?? 0;
}

/**
 * Deletes the records of old deletions. Stores the highest change number among an account's deleted records in the
 * account's counter. Counters are always locked in the same order, so that two processes cannot deadlock.
 */
async function forgetDeletions(
  { db, clock, batchSize = 1_000 }: HousekeepingOptions,
  stopping?: AbortSignal,
): Promise<void> {
  const before = new Date(clock().getTime() - deletionLifetimeMs);
  if (db.isDistributed) {
    const expired = { table: 'plant_changes', column: 'deleted_at', before, batchSize };
    await forEachAccount(db, expired, stopping, (id) => forgetOfAccount(db, expired, id));
    return;
  }
  let forgotten = batchSize;
  while (forgotten === batchSize && !stopping?.aborted) {
    const { rowCount } = await db.pool.query(
      `WITH gone AS (
         DELETE FROM plant_changes WHERE ctid = ANY (ARRAY(
           SELECT ctid FROM plant_changes WHERE deleted_at <= $1 LIMIT $2 FOR UPDATE SKIP LOCKED))
         RETURNING user_id, change
       ), newest AS (
         SELECT user_id, max(change) AS change FROM gone GROUP BY user_id
       ), locked AS (
         SELECT user_id FROM change_counters WHERE user_id IN (SELECT user_id FROM newest)
         ORDER BY user_id FOR UPDATE
       ), noted AS (
         UPDATE change_counters c SET forgotten = greatest(c.forgotten, newest.change)
         FROM newest JOIN locked USING (user_id) WHERE c.user_id = newest.user_id
       )
       SELECT FROM gone`,
      [before, batchSize],
    );
    forgotten = rowCount ?? 0;
  }
}
