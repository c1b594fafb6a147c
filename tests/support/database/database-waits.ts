import type pg from 'pg';
import type { Database } from '#server/database/database.ts';
import { isDistributed } from '#server/database/distribution.ts';

/** Waits until at least `count` backends wait for a lock; resolves to the process ids of all of them. */
export async function untilWaiting(
  { db }: { db: Pick<Database, 'pool'> },
  count = 1,
): Promise<number[]> {
  // On a cluster the rows and their locks are on the workers.
  const view = (await isDistributed(db.pool)) ? 'citus_stat_activity' : 'pg_stat_activity';
  for (;;) {
    const { rows } = await db.pool.query<{ pid: number }>(
      `SELECT pid FROM ${view} WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    if (rows.length >= count) return rows.map(({ pid }) => pid);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/**
 * Locks a plant in the client's open transaction. The statement names the account too, because on a cluster a statement
 * can lock rows of one account only.
 */
export async function lockPlant(client: pg.ClientBase, id: string | undefined): Promise<void> {
  const text = 'SELECT user_id AS "userId" FROM plants WHERE id = $1';
  const { rows } = await client.query<{ userId: string }>(text, [id]);
  const values = [rows[0]?.userId, id];
  await client.query('SELECT 1 FROM plants WHERE user_id = $1 AND id = $2 FOR UPDATE', values);
}
