import pg from 'pg';
import { type Database, databaseOver } from '../database/database.ts';
import { tablesIn, whyUnsuitable } from '../database/inspect.ts';
import { isNew, isOfNewerVersion } from '../database/migrate.ts';
import { cannotStart } from '../start/command.ts';
import { describeDatabaseError } from '../start/database-error.ts';
import { usedByNewer } from './source.ts';
import { keysTable, type Table } from './tables.ts';

/** Where the URL of the new database comes from, for messages. */
export const targetSource = '--to or DATABASE_URL';

/** Connects to the new database and checks its version and encoding. */
export async function openTarget(connectionString: string): Promise<Database> {
  const options = {
    connectionString,
    connectionTimeoutMillis: 10_000,
    // Detects a lost connection even during a long comparison, in which no data arrives for a while.
    keepAlive: true,
    keepAliveInitialDelayMillis: 30_000,
  };
  const db = databaseOver(new pg.Pool(options));
  try {
    await requireUsable(db.pool);
    return db;
  } catch (error) {
    await db.close();
    throw error;
  }
}

async function requireUsable(pool: pg.Pool): Promise<void> {
  const reason = await whyUnsuitable(pool);
  if (reason !== null) throw cannotStart(`The new database ${reason}.`);
}

/**
 * Whether our tables other than keysTable contain rows already. Throws if the database has tables of another program or
 * of a newer version.
 */
export async function hasRows(pool: pg.Pool, tables: readonly Table[]): Promise<boolean> {
  const found = await tablesIn(pool);
  const ours = new Map(tables.map((table) => [table.name, table]));
  const isSprig = !(await isNew(pool));
  if (isSprig && (await isOfNewerVersion(pool))) throw usedByNewer('The new database');
  const foreign = found.filter((name) => !isSprig || !ours.has(name));
  if (foreign.length > 0) {
    throw cannotStart(
      `The new database holds tables of another program (${shortened(foreign)}). Give Sprig a database of its own, for example CREATE DATABASE sprig.`,
    );
  }
  for (const name of found.filter((one) => one !== keysTable)) {
    const { rowCount } = await pool.query(`SELECT FROM ${ours.get(name)?.sql} LIMIT 1`);
    if (rowCount) return true;
  }
  return false;
}

function shortened(names: readonly string[]): string {
  const shown = names.slice(0, 3).join(', ');
  return names.length > 3 ? `${shown} and ${names.length - 3} more` : shown;
}

/**
 * Describes an error of the new database. No rows were stored there, unless the connection was lost during the COMMIT.
 */
export function targetError(error: unknown): unknown {
  return describeDatabaseError(error, {
    database: 'The new database',
    source: targetSource,
    otherHint: 'this run stored no rows; solve this and run it again',
  });
}
