import type { Queryable } from './transaction.ts';

/** Whether the tables of accounts are distributed over the machines of a Citus cluster. */
export async function isDistributed(db: Queryable): Promise<boolean> {
  const text = "SELECT to_regclass('pg_catalog.pg_dist_partition') IS NOT NULL AS has";
  const { rows: extension } = await db.query<{ has: boolean }>({ text });
  if (!extension[0]?.has) return false;
  const { rows } = await db.query({
    text: `SELECT FROM pg_dist_partition WHERE logicalrelid = to_regclass('public.users') AND partmethod = 'h'`,
  });
  return rows.length > 0;
}
