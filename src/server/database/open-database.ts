import type pg from 'pg';
import { openEmbedded } from '#embedded-postgres/open-embedded.ts';
import { ConfigError } from '../start/config.ts';
import { describeExternalError } from '../start/database-error.ts';
import { type Database, databaseOver, openPool } from './database.ts';
import { isDistributed } from './distribution.ts';
import { whyUnsuitable } from './inspect.ts';
import { closeSilentConnections } from './lost-connections.ts';
import { isNew, migrateDatabase } from './migrate.ts';

/** Opens and migrates the configured database: an outside PostgreSQL, or the embedded one in dataDir. */
export async function openDatabase(config: {
  databaseUrl: string | null;
  dataDir: string;
  queryTimeoutMs: number;
}): Promise<{ db: Database; notes: string[] }> {
  const source = config.databaseUrl
    ? outsideDatabase(config.databaseUrl)
    : await embeddedDatabase(config.dataDir);
  const connection = { ...source.connection, connectionTimeoutMillis: 5_000 };
  const { queryTimeoutMs } = config;
  const pool = openPool({ ...connection, statement_timeout: queryTimeoutMs });
  closeSilentConnections(pool, 2 * queryTimeoutMs);
  const db = databaseOver(pool, source);
  try {
    await migrateOver(connection);
    return { db: { ...db, isDistributed: await isDistributed(pool) }, notes: source.notes };
  } catch (error) {
    await db.close();
    throw db.explain(error);
  }
}

/** Uses its own connection, because migrations have no statement timeout. */
async function migrateOver(connection: pg.PoolConfig): Promise<void> {
  const db = databaseOver(openPool({ ...connection, max: 1 }));
  try {
    await requireSuitable(db.pool);
    await migrateDatabase(db.pool);
  } finally {
    await db.close();
  }
}

/**
 * Checks new databases only. Otherwise a server with data in an unsuitable database could not start until that was
 * upgraded or moved.
 */
async function requireSuitable(pool: pg.Pool): Promise<void> {
  const reason = (await isNew(pool)) ? await whyUnsuitable(pool) : null;
  if (reason !== null) throw new ConfigError(`the database of DATABASE_URL ${reason}`);
}

interface DatabaseSource {
  connection: pg.PoolConfig;
  notes: string[];
  recover?: () => void;
  explain?: (error: unknown) => unknown;
  close?: () => Promise<void>;
}

function outsideDatabase(connectionString: string): DatabaseSource {
  return { connection: { connectionString }, notes: [], explain: describeExternalError };
}

async function embeddedDatabase(dataDir: string): Promise<DatabaseSource> {
  const postgres = await openEmbedded({ dataDir });
  let isStopping = false;
  return {
    connection: postgres.connection,
    notes: postgres.notes,
    recover: () => {
      postgres.ensureRunning().catch((error: unknown) => {
        if (isStopping) return;
        console.error('PostgreSQL could not be started again:', (error as Error).message);
      });
    },
    explain: (error) => postgres.explain(error),
    close: () => {
      isStopping = true;
      return postgres.stop();
    },
  };
}
