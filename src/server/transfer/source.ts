import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { inspectEmbedded, openEmbedded } from '#embedded-postgres/open-embedded.ts';
import { type Database, databaseOver } from '../database/database.ts';
import { isOfNewerVersion, migrateDatabase } from '../database/migrate.ts';
import { CommandError, cannotStart, exitCodes } from '../start/command.ts';

/** After its Sprig server was stopped or killed, the embedded PostgreSQL needs a moment to shut down. */
const shutdownWaitMs = 3_000;

/**
 * The embedded database of a data folder, migrated to the current schema and used by this process alone. Throws if the
 * folder is in use, because changes that its server stores after the copy would be lost.
 */
export async function openSource(dataDir: string): Promise<Database> {
  const embedded = inspectEmbedded(dataDir);
  if (!embedded.exists) {
    throw cannotStart(
      `There is no embedded database in ${dataDir}; set DATA_DIR to the folder that the server keeps its data in.`,
    );
  }
  const deadline = performance.now() + shutdownWaitMs;
  while (embedded.isRunning()) {
    if (performance.now() > deadline) throw inUse(dataDir);
    await sleep(50);
  }
  const postgres = await openEmbedded({ dataDir });
  const pool = new pg.Pool(postgres.connection);
  const db = databaseOver(pool, { close: () => postgres.stop() });
  try {
    if (postgres.adopted) throw inUse(dataDir);
    await migrateDatabase(pool);
    if (await isOfNewerVersion(pool)) throw usedByNewer(`The database in ${dataDir}`);
    return db;
  } catch (error) {
    await db.close();
    throw error;
  }
}

function inUse(dataDir: string): CommandError {
  return cannotStart(
    `A server is running on ${dataDir}. Stop it first (Ctrl+C, or systemctl stop sprig) and run this again: changes made in the meantime would be lost.`,
  );
}

/** `database` is the subject of the message's first sentence, such as 'The new database'. */
export function usedByNewer(database: string): CommandError {
  return cannotStart(
    `${database} was last used by a newer version of Sprig. Run the transfer of that version.`,
  );
}

/** An error of the embedded database. The transaction in the new database is rolled back. */
export function sourceError(cause: Error): CommandError {
  const message = `The embedded database could not be read (${cause.message}). Nothing was stored in the new one.`;
  return new CommandError(exitCodes.failed, message, { cause });
}
