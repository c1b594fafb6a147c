import type { Database } from '#server/database/database.ts';

/** Waits until `count` backends wait for a lock; resolves to their process ids. */
export async function untilWaiting({ db }: { db: Database }, count = 1): Promise<number[]> {
  // On a cluster the rows and their locks are on the workers.
  const view = db.isDistributed ? 'citus_stat_activity' : 'pg_stat_activity';
  for (;;) {
    const { rows } = await db.pool.query<{ pid: number }>(
      `SELECT pid FROM ${view} WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    if (rows.length >= count) return rows.map(({ pid }) => pid);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
