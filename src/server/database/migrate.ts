import { fileURLToPath } from 'node:url';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import type pg from 'pg';

/** An arbitrary number, the same in every process that migrates. */
const migrationLock = 4_077_921;

/** Makes every server that starts on this database wait until the connection ends. */
export async function keepServersWaiting(client: pg.ClientBase): Promise<void> {
  await client.query('SELECT pg_advisory_lock($1)', [migrationLock]);
}

/** Brings the schema up to date. Processes that start together wait for each other. */
export async function migrateDatabase(pool: pg.Pool): Promise<void> {
  const client = await pool.connect();
  try {
    await keepServersWaiting(client);
    await migrate(drizzle(client), { migrationsFolder: migrationsFolder() });
  } finally {
    // Ending the connection also releases its lock, even after an error.
    client.release(true);
  }
}

/** The folder is next to this file in the sources and next to the bundle in a build. */
function migrationsFolder(): string {
  return fileURLToPath(new URL('./migrations', import.meta.url));
}
