import { fileURLToPath } from 'node:url';
import { type MigrationMeta, readMigrationFiles } from 'drizzle-orm/migrator';
import type pg from 'pg';
import { distributeNew, isDistributed, oneShardAtATime } from './distribution.ts';
import type { Queryable } from './transaction.ts';

/** An arbitrary number, the same in every process that migrates. */
const migrationLock = 4_077_921;

/**
 * Waits until it gets the migration lock. Every server that starts on this database then waits until the connection
 * ends. The connection has no statement timeout from now on, because building an index may take long.
 */
export async function keepServersWaiting(client: pg.ClientBase): Promise<void> {
  // The database's user may have one.
  await client.query('SET statement_timeout TO 0');
  await client.query('SELECT pg_advisory_lock($1)', [migrationLock]);
}

/** Brings the schema up to date. Processes that start together wait for each other. */
export async function migrateDatabase(pool: pg.Pool, folder?: string): Promise<void> {
  const client = await pool.connect();
  try {
    await keepServersWaiting(client);
    await migrate(client, folder);
  } finally {
    // Ending the connection also releases its lock, even after an error.
    client.release(true);
  }
}

/** Runs the pending migrations in one transaction. Call keepServersWaiting() with the same client first. */
export async function migrate(
  client: pg.ClientBase,
  folder: string = migrationsFolder(),
): Promise<void> {
  await client.query('CREATE SCHEMA IF NOT EXISTS drizzle');
  await client.query(
    'CREATE TABLE IF NOT EXISTS drizzle.__drizzle_migrations (id SERIAL PRIMARY KEY, hash text NOT NULL, created_at bigint)',
  );
  const pending = await pendingMigrations(client, folder);
  if (pending.length === 0) return;
  const isCluster = await isDistributed(client);
  await client.query('BEGIN');
  if (isCluster) await client.query(oneShardAtATime);
  for (const migration of pending) await runMigration(client, migration, isCluster);
  await client.query('COMMIT');
}

/**
 * A new table of accounts is distributed right after its creation, because Citus rejects foreign keys from local tables
 * to distributed ones.
 */
async function runMigration(client: pg.ClientBase, migration: MigrationMeta, isCluster: boolean) {
  for (const statement of migration.sql) {
    await client.query(statement);
    if (isCluster) await distributeNew(client);
  }
  await client.query(
    'INSERT INTO drizzle.__drizzle_migrations (hash, created_at) VALUES ($1, $2)',
    [migration.hash, migration.folderMillis],
  );
}

/** Whether the database has no migration yet. */
export async function isNew(db: Queryable): Promise<boolean> {
  const { rows } = await db.query<{ isNew: boolean }>({
    text: `SELECT to_regclass('drizzle.__drizzle_migrations') IS NULL AS "isNew"`,
  });
  return rows[0]?.isNew ?? true;
}

/** The migrations that the database lacks. Its table __drizzle_migrations must exist. */
export async function pendingMigrations(
  client: pg.ClientBase,
  folder: string = migrationsFolder(),
): Promise<MigrationMeta[]> {
  const newest = await newestMigration(client);
  return readMigrationFiles({ migrationsFolder: folder }).filter(
    ({ folderMillis }) => folderMillis > newest,
  );
}

/** Whether a newer version has migrated the database. Its table __drizzle_migrations must exist. */
export async function isOfNewerVersion(db: Queryable): Promise<boolean> {
  const known = readMigrationFiles({ migrationsFolder: migrationsFolder() });
  const newest = await newestMigration(db);
  return known.every(({ folderMillis }) => folderMillis < newest);
}

/** The creation time (ms) of the newest migration of a database; 0 without any. */
async function newestMigration(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ newest: string | null }>({
    text: 'SELECT max(created_at) AS newest FROM drizzle.__drizzle_migrations',
  });
  return Number(rows[0]?.newest ?? 0);
}

/** The folder is next to this file in the sources and next to the bundle in a build. */
function migrationsFolder(): string {
  return fileURLToPath(new URL('./migrations', import.meta.url));
}
