import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import type pg from 'pg';
import { isConnectionLost } from './lost-connections.ts';

/**
 * One connection with an open transaction. Typed queries go through it directly (`tx.insert(…)`), raw ones through
 * the client that it was made from (`tx.$client.query(…)`): both run on the same connection, in the same transaction.
 * Statements that are sent together save round trips; see `allOf`.
 */
export type Transaction = Omit<NodePgDatabase, 'transaction'> & { $client: pg.PoolClient };

/** A pool or one of its connections: whatever can run a raw statement. */
export interface Queryable {
  query<Row extends pg.QueryResultRow>(statement: pg.QueryConfig): Promise<{ rows: Row[] }>;
}

/**
 * Runs `work` between BEGIN and COMMIT and resolves to its result. If `work` throws, rolls back and rethrows the error.
 */
export async function transaction<Result>(
  db: { pool: pg.Pool },
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  return await transactionWithEnd(db, async (tx) => ({ result: await work(tx), end: [] }));
}

/**
 * Like `transaction`, but `work` returns the last statements instead of running them. They are sent together with
 * COMMIT, so that their locks are not held during another round trip. If one fails, its error is thrown and COMMIT
 * rolls back.
 */
export async function transactionWithEnd<Result>(
  { pool }: { pool: pg.Pool },
  work: (tx: Transaction) => Promise<{ result: Result; end: readonly pg.QueryConfig[] }>,
): Promise<Result> {
  const client = await pool.connect();
  let isUsable = true;
  try {
    await client.query('BEGIN');
    const { result, end } = await work(drizzle(client));
    await allOf([...end, 'COMMIT'].map((statement) => client.query(statement)));
    return result;
  } catch (error) {
    // ROLLBACK succeeds even on a connection to a former primary, but the next write on it would fail again.
    isUsable = (await rollBack(client)) && !isConnectionLost(error);
    throw error;
  } finally {
    client.release(!isUsable);
  }
}

/**
 * Promise.all for statements that are sent together. After a statement has failed, the later ones of the transaction
 * fail too, with an error that does not say why. So this rejects with the first error in the order of the list. It
 * waits until all have ended, so that none is sent after the ROLLBACK.
 */
export async function allOf<Statements extends readonly unknown[] | []>(statements: Statements) {
  for (const ended of await Promise.allSettled(statements)) {
    if (ended.status === 'rejected') throw ended.reason;
  }
  return await Promise.all(statements);
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
