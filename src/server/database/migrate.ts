import { fileURLToPath } from 'node:url';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import type pg from 'pg';

/** Any number does, as long as every process that migrates uses the same. */
const migrationLock = 4_077_921;

/** While this connection lives, every server that starts on the database waits. */
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
    // Ending the connection also ends its lock, whatever state an error left it in.
    client.release(true);
  }
}

/** Beside this file in the sources, beside the bundle in a build. */
function migrationsFolder(): string {
  return fileURLToPath(new URL('./migrations', import.meta.url));
}
