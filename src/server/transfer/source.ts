import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { clusterFiles } from '#embedded-postgres/cluster/cluster-files.ts';
import { settleDataHome } from '#embedded-postgres/cluster/settle-data-home.ts';
import { openEmbedded } from '#embedded-postgres/open-embedded.ts';
import { livePostmaster } from '#embedded-postgres/process/live-postmaster.ts';
import { thisMachine } from '#embedded-postgres/programs/machine.ts';
import { type Database, databaseOver } from '../database/database.ts';
import { migrateDatabase } from '../database/migrate.ts';
import { refused, type TransferProblem } from './problem.ts';

/** A PostgreSQL whose server was just stopped or killed is gone in this time. */
const patienceMs = 3_000;

/**
 * The embedded database of a data folder, for this process alone and with the schema of this version. Whatever a
 * running server stored after the copy was made would be left behind, so a folder in use is refused.
 */
export async function openSource(dataDir: string): Promise<Database> {
  const files = existsSync(dataDir)
    ? clusterFiles(settleDataHome(dataDir, thisMachine()).folder)
    : null;
  if (!files || !existsSync(files.folder)) {
    throw refused(
      `There is no embedded database in ${dataDir}; set DATA_DIR to the folder that the server keeps its data in.`,
    );
  }
  const deadline = performance.now() + patienceMs;
  while (livePostmaster(files.data)) {
    if (performance.now() > deadline) throw inUse(dataDir);
    await sleep(50);
  }
  const postgres = await openEmbedded({ dataDir });
  const pool = new pg.Pool(postgres.connection);
  const db = databaseOver(pool, { close: () => postgres.stop() });
  try {
    if (postgres.adopted) throw inUse(dataDir);
    await migrateDatabase(pool);
    return db;
  } catch (error) {
    await db.close();
    throw error;
  }
}

function inUse(dataDir: string): TransferProblem {
  return refused(
    `A server is running on ${dataDir}. Stop it first (Ctrl+C, or systemctl stop sprig) and run this again: what people did in the meantime would be left behind.`,
  );
}
