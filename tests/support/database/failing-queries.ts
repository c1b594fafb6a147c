import type pg from 'pg';
import type { Database } from '#server/database/database.ts';

type Statement = string | pg.QueryConfig;

/** The database with a pool whose `query` rejects with a RangeError for some statements. Transactions are unchanged. */
export function withFailingQueries(
  db: Database,
  isFailing: (statement: Statement) => boolean,
): Database {
  const { pool } = db;
  const query = (...args: [statement: Statement, ...rest: never[]]) =>
    isFailing(args[0]) ? Promise.reject(new RangeError()) : Reflect.apply(pool.query, pool, args);
  return { ...db, pool: Object.assign(Object.create(pool), { query }) };
}
