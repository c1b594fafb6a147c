import pg from 'pg';
import { type Database, databaseOver } from './database.ts';
import { openEmbedded } from './embedded/open-embedded.ts';
import { migrateDatabase } from './migrate.ts';

/** Opens and migrates the configured database: an outside PostgreSQL, or the embedded one in dataDir. */
export async function openDatabase(config: {
  databaseUrl: string | null;
  dataDir: string;
}): Promise<{ db: Database; notes: string[] }> {
  const opened = config.databaseUrl
    ? { db: openOutside(config.databaseUrl), notes: [] }
    : await openInside(config.dataDir);
  try {
    await migrateDatabase(opened.db.pool);
  } catch (error) {
    await opened.db.close();
    throw error;
  }
  return opened;
}

function openOutside(connectionString: string): Database {
  return databaseOver(new pg.Pool({ connectionString, connectionTimeoutMillis: 5_000 }));
}

async function openInside(dataDir: string): Promise<{ db: Database; notes: string[] }> {
  const postgres = await openEmbedded({ dataDir });
  const pool = new pg.Pool({
    ...postgres.connection,
    connectionTimeoutMillis: 5_000,
  });
  const db = databaseOver(pool, {
    recover: () => {
      postgres.ensureRunning().catch((error: unknown) => {
        console.error('PostgreSQL could not be started again:', (error as Error).message);
      });
    },
    close: () => postgres.stop(),
  });
  return { db, notes: postgres.notes };
}
