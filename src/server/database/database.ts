import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import type pg from 'pg';

export type Orm = Omit<NodePgDatabase, 'transaction'>;

/** The database as the application sees it, wherever it runs. */
export interface Database {
  orm: Orm;
  pool: pg.Pool;
  /** To be called after a lost connection: starts an embedded server again if it has stopped. */
  recover(): void;
  close(): Promise<void>;
}

/** A database over an open pool. */
export function databaseOver(
  pool: pg.Pool,
  options: { recover?: () => void; close?: () => Promise<void> } = {},
): Database {
  let isClosing = false;
  // A pool that is ending still closes its sockets; errors of that time need no recovery.
  const recover = () => {
    if (!isClosing) options.recover?.();
  };
  // Without a listener a broken idle connection ends the process. The next query notices it anyway.
  pool.on('error', recover);
  // The pool does not listen on connections in use: one that breaks inside a transaction would end the process.
  pool.on('connect', (client) => client.on('error', recover));
  return {
    orm: drizzle(pool),
    pool,
    recover,
    close: async () => {
      isClosing = true;
      await pool.end();
      await options.close?.();
    },
  };
}
