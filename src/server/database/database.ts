import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import type pg from 'pg';

export type Orm = Omit<NodePgDatabase, 'transaction'>;

/** Everything the application knows of its database; where it runs is the opener's secret. */
export interface Database {
  orm: Orm;
  pool: pg.Pool;
  /** Called when a query met a lost connection: may start an embedded server again. */
  recover(): void;
  close(): Promise<void>;
}

/** A database over an open pool. */
export function databaseOver(
  pool: pg.Pool,
  options: { recover?: () => void; close?: () => Promise<void> } = {},
): Database {
  let isClosing = false;
  // A pool calls itself ended while its sockets still close: what breaks then needs no recovery.
  const recover = () => {
    if (!isClosing) options.recover?.();
  };
  // Without a listener the process ends when an idle connection breaks; the next query finds out anyway.
  pool.on('error', recover);
  // A connection in use is not the pool's: one that breaks between two steps of a transaction would end the process.
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
