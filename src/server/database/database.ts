import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import pg from 'pg';

export type Orm = Omit<NodePgDatabase, 'transaction'>;

/** The interface through which the application uses its database, whether it is embedded or named by DATABASE_URL. */
export interface Database {
  orm: Orm;
  pool: pg.Pool;
  /** Whether the tables of accounts are distributed over the machines of a Citus cluster. */
  isDistributed: boolean;
  /** Call it after a lost connection: it restarts an embedded server that has stopped. */
  recover(): void;
  /** The error to report for one that ends the start: it says what is wrong with the database, if that is known. */
  explain(error: unknown): unknown;
  close(): Promise<void>;
}

/**
 * A pool whose connections use pg's `pipeline`: they send a statement without waiting for the results of earlier ones.
 * Cursors and COPY streams do not work on them.
 */
export function openPool(config: pg.PoolConfig): pg.Pool {
  return new pg.Pool({ ...config, pipeline: true });
}

/** A Database that uses an open pool. */
export function databaseOver(
  pool: pg.Pool,
  options: Partial<Pick<Database, 'isDistributed' | 'recover' | 'explain' | 'close'>> = {},
): Database {
  let isClosing = false;
  // While a pool is ending, its sockets may still report errors. They need no recovery.
  const recover = () => {
    if (!isClosing) options.recover?.();
  };
  // Without a listener, an error on an idle connection would end the process. The pool discards the connection itself.
  pool.on('error', recover);
  // The pool has no error listener on connections in use: one that breaks in a transaction would end the process.
  pool.on('connect', (client) => client.on('error', recover));
  return {
    orm: drizzle(pool),
    pool,
    isDistributed: options.isDistributed ?? false,
    recover,
    explain: options.explain ?? ((error) => error),
    close: async () => {
      isClosing = true;
      await pool.end();
      await options.close?.();
    },
  };
}
