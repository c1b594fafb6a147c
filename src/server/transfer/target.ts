import pg from 'pg';
import { isConnectionLost } from '../database/connection-lost.ts';
import { type Database, databaseOver } from '../database/database.ts';
import type { Table } from './tables.ts';
import { exitCodes, refused, TransferError } from './transfer-error.ts';

const oldest = { number: 150_000, name: 'PostgreSQL 15' };

/** The database to fill, once it is sure that it answers and is fit. */
export async function openTarget(connectionString: string): Promise<Database> {
  const options = {
    connectionString,
    connectionTimeoutMillis: 10_000,
    // A machine that vanished without a word is found out, however long a comparison may take.
    keepAlive: true,
    keepAliveInitialDelayMillis: 30_000,
  };
  const db = databaseOver(new pg.Pool(options));
  try {
    await refuseUnfit(db.pool);
    return db;
  } catch (error) {
    await db.close();
    throw error;
  }
}

async function refuseUnfit(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ version: string; number: number; encoding: string }>(
    `SELECT current_setting('server_version') AS version, current_setting('server_version_num')::int AS number,
      current_setting('server_encoding') AS encoding`,
  );
  for (const { version, number, encoding } of rows) {
    if (number < oldest.number) {
      throw refused(
        `The new database is PostgreSQL ${version}; Sprig needs ${oldest.name} or newer.`,
      );
    }
    if (encoding !== 'UTF8') {
      throw refused(`The new database has the encoding ${encoding}; make it with ENCODING 'UTF8'.`);
    }
  }
}

/** Whether our tables hold rows already; refuses a database in which another program keeps something. */
export async function holdsRows(pool: pg.Pool, tables: readonly Table[]): Promise<boolean> {
  const found = await tablesIn(pool);
  const ours = new Map(tables.map((table) => [table.name, table]));
  const isSprig = (
    await pool.query("SELECT to_regclass('drizzle.__drizzle_migrations') AS journal")
  ).rows[0].journal;
  const foreign = found.filter((name) => !isSprig || !ours.has(name));
  if (foreign.length > 0) {
    throw refused(
      `The new database holds tables of another program (${shortened(foreign)}). Give Sprig a database of its own, for example CREATE DATABASE sprig.`,
    );
  }
  for (const name of found) {
    const { rowCount } = await pool.query(`SELECT FROM ${ours.get(name)?.sql} LIMIT 1`);
    if (rowCount) return true;
  }
  return false;
}

/** Without those that an extension brought along. */
async function tablesIn(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(`
    SELECT c.relname AS name FROM pg_class c
    WHERE c.relnamespace = to_regnamespace('public') AND c.relkind IN ('r', 'p', 'f')
      AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'e')
    ORDER BY c.relname`);
  return rows.map(({ name }) => name);
}

function shortened(names: readonly string[]): string {
  const shown = names.slice(0, 3).join(', ');
  return names.length > 3 ? `${shown} and ${names.length - 3} more` : shown;
}

const hints: Record<string, string> = {
  '28P01': 'it refuses the password; mend --to',
  '28000': 'it refuses the user; mend --to',
  '3D000': 'there is no such database; make it with CREATE DATABASE',
  '42501': 'the user of --to may not make tables there; make that user the owner of the database',
  '25006': 'it is read-only; --to must be the primary',
  '55P03': 'another program is using its tables; stop it and run this again',
  '53100': 'its disk is full; make room and run this again',
};

/** Describes an error of the new database. Everything written there has been rolled back. */
export function targetError(error: unknown): unknown {
  if (error instanceof TransferError || !(error instanceof Error)) return error;
  const code = 'code' in error ? String(error.code) : '';
  const hint =
    hints[code] ??
    (isConnectionLost(error) || /^(ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$/.test(code)
      ? 'it does not answer; see that it runs and is reached from here, and run this again'
      : 'nothing of this run was kept; mend that and run this again');
  return new TransferError(exitCodes.failed, `The new database: ${hint} (${error.message}).`, {
    cause: error,
  });
}
