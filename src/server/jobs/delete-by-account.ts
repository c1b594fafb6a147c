import type { Database } from '../database/database.ts';
import { transaction } from '../database/transaction.ts';

export interface ExpiredRows {
  table: string;
  /** The column with the time that is compared with `before`. A row has expired if this time is not after `before`. */
  column: string;
  before: Date;
  batchSize: number;
}

/**
 * Calls `work` for each account with expired rows, one account after another. Used on a cluster: there, a statement for
 * one account needs only one machine, and SKIP LOCKED works only in such a statement.
 */
export async function forEachAccount(
  { pool }: Database,
  { table, column, before, batchSize }: ExpiredRows,
  stopping: AbortSignal | undefined,
  work: (userId: string) => Promise<number>,
): Promise<void> {
  let accounts = batchSize;
  let deleted = 1;
  // If nothing was deleted for a full list of accounts, all their expired rows are locked. The next run deletes them.
  while (accounts === batchSize && deleted > 0 && !stopping?.aborted) {
    const { rows } = await pool.query<{ userId: string }>(
      `SELECT user_id AS "userId" FROM ${table} WHERE ${column} <= $1 GROUP BY user_id LIMIT $2`,
      [before, batchSize],
    );
    accounts = rows.length;
    deleted = 0;
    for (const { userId } of rows) {
      if (stopping?.aborted) return;
      deleted += await work(userId);
    }
  }
}

/**
 * SQL: deletes a batch of the account's expired rows, skipping those in use. $1: account, $2: before, $3: batch size.
 */
function deletionFrom(table: string, column: string): string {
  return `DELETE FROM ${table} WHERE user_id = $1 AND ctid = ANY (ARRAY(
    SELECT ctid FROM ${table} WHERE user_id = $1 AND ${column} <= $2 LIMIT $3 FOR UPDATE SKIP LOCKED))`;
}

/** Deletes expired rows of an account. Resolves to their number. */
export async function deleteOfAccount(
  { pool }: Database,
  { table, column, before, batchSize }: ExpiredRows,
  userId: string,
): Promise<number> {
  const text = deletionFrom(table, column);
  let total = 0;
  for (;;) {
    const { rowCount } = await pool.query(text, [userId, before, batchSize]);
    total += rowCount ?? 0;
    if (rowCount !== batchSize) return total;
  }
}

/**
 * Deletes an account's records of old deletions, one batch per transaction. Each transaction also stores the highest
 * change number of its batch in the account's counter. Resolves to the number of deleted records.
 */
export async function forgetOfAccount(
  db: Database,
  { table, column, before, batchSize }: ExpiredRows,
  userId: string,
): Promise<number> {
  const text = `${deletionFrom(table, column)} RETURNING change::float8 AS change`;
  let total = 0;
  for (;;) {
    const deleted = await transaction(db, async ({ $client }) => {
      const { rows } = await $client.query<{ change: number }>(text, [userId, before, batchSize]);
      const newest = Math.max(0, ...rows.map(({ change }) => change));
      await $client.query(
        'UPDATE change_counters SET forgotten = greatest(forgotten, $2) WHERE user_id = $1',
        [userId, newest],
      );
      return rows.length;
    });
    total += deleted;
    if (deleted !== batchSize) return total;
  }
}
