import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import type pg from 'pg';

/**
 * One connection with an open transaction. Typed queries go through it directly (`tx.insert(…)`), raw ones through
 * the client that it was made from (`tx.$client.query(…)`): both run on the same connection, in the same transaction.
 */
export type Transaction = Omit<NodePgDatabase, 'transaction'> & { $client: pg.PoolClient };

/** A pool or one of its connections: whatever can run a raw statement. */
export interface Queryable {
  query<Row extends pg.QueryResultRow>(statement: pg.QueryConfig): Promise<{ rows: Row[] }>;
}

/** Runs `work` between BEGIN and COMMIT and resolves to its result. If it throws, rolls back and throws the same. */
export async function transaction<Result>(
  { pool }: { pool: pg.Pool },
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  let isUsable = true;
  try {
    await client.query('BEGIN');
    const result = await work(drizzle(client));
    await client.query('COMMIT');
    return result;
  } catch (error) {
    isUsable = await rollBack(client);
    throw error;
  } finally {
    client.release(!isUsable);
  }
}

/** False when the connection is lost: the database then rolls back by itself, and the pool must not reuse it. */
async function rollBack(client: pg.PoolClient): Promise<boolean> {
  try {
    await client.query('ROLLBACK');
    return true;
  } catch {
    return false;
  }
}
