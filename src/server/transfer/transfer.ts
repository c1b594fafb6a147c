import { existsSync } from 'node:fs';
import path from 'node:path';
import type pg from 'pg';
import { plural, shellQuoted } from '#domain/text.ts';
import { keepServersWaiting, migrateDatabase } from '../database/migrate.ts';
import { CommandError, cannotStart, exitCodes } from '../start/command.ts';
import { openSource, sourceError } from './source.ts';
import {
  comparableTextSettings,
  copyAcross,
  fingerprintOf,
  isEqual,
  keysTable,
  listTables,
  type Table,
} from './tables.ts';
import { hasRows, openTarget, targetError } from './target.ts';

/** The parsed arguments of `npm run transfer`. */
export interface TransferOptions {
  /** Absolute: the folder of the embedded database. */
  dataDir: string;
  /** postgres://…; may contain a password, so never print it. */
  to: string;
}

type Print = (line: string) => void;

/**
 * Copies the embedded database to an empty one elsewhere. One transaction there stores and compares all rows, so a
 * killed process leaves either all of them or none. If an earlier run has copied all rows already, prints that. Throws
 * if other rows are stored there.
 */
export async function transfer({ dataDir, to }: TransferOptions, print: Print): Promise<void> {
  const target = await openTarget(to).catch(rethrow);
  try {
    const source = await openSource(dataDir);
    try {
      const from = await source.pool.connect();
      try {
        await transferBetween(from, target.pool, print);
      } finally {
        from.release(true);
      }
    } finally {
      await source.close();
    }
  } finally {
    await target.close();
  }
  printStart({ dataDir, to }, print);
}

async function transferBetween(from: pg.PoolClient, target: pg.Pool, print: Print): Promise<void> {
  await keepServersWaiting(from);
  await from.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  await from.query(comparableTextSettings);
  const tables = await listTables(from);
  try {
    const isFilled = await hasRows(target, tables);
    if (!isFilled) await migrateDatabase(target);
    const into = await target.connect();
    try {
      await into.query('BEGIN ISOLATION LEVEL READ COMMITTED');
      await into.query(comparableTextSettings);
      if (isFilled) await compare(from, into, tables, print);
      else await fill(from, into, tables, print);
    } finally {
      // Closing the connection rolls back an uncommitted transaction.
      into.release(true);
    }
    if (!isFilled) await collectStatistics(target, tables, print);
  } catch (error) {
    rethrow(error);
  }
}

async function fill(from: pg.PoolClient, into: pg.PoolClient, tables: Table[], print: Print) {
  const names = tables.map(({ sql }) => sql).join(', ');
  await into.query("SET LOCAL lock_timeout TO '10s'");
  await into.query(`LOCK TABLE ${names} IN SHARE ROW EXCLUSIVE MODE`);
  let replacedKeys = 0;
  for (const table of tables) {
    const { name, sql } = table;
    const columns = table.columns.join(', ');
    if (name === keysTable) replacedKeys = (await into.query(`DELETE FROM ${sql}`)).rowCount ?? 0;
    // A server that was started there before this lock may have stored rows.
    if ((await into.query(`SELECT FROM ${sql} LIMIT 1`)).rowCount) throw foreignRows(name);
    await copyAcross(
      { client: from, statement: `COPY ${sql} (${columns}) TO STDOUT` },
      { client: into, statement: `COPY ${sql} (${columns}) FROM STDIN` },
    );
    const fingerprint = await fingerprintOf(from, table).catch(rethrowSource);
    if (!isEqual(fingerprint, await fingerprintOf(into, table))) throw copyDiffers(name);
    print(`${name}: ${plural(fingerprint.rows, 'row')} copied and checked`);
  }
  await into.query('COMMIT');
  print('Everything is in the new database now.');
  // A running server keeps using the keys that it read first.
  if (replacedKeys > 0) {
    print(
      'A server has used the new database before: restart every server on it, because its keys were replaced.',
    );
  }
}

/** Never rejects: all rows are stored already, and without statistics queries are only slower for a while. */
async function collectStatistics(target: pg.Pool, tables: Table[], print: Print): Promise<void> {
  try {
    await target.query(`ANALYZE ${tables.map(({ sql }) => sql).join(', ')}`);
  } catch (error) {
    const reason = (error as Error).message;
    print(
      `The statistics of its tables were not collected (${reason}). PostgreSQL collects them later by itself.`,
    );
  }
}

/** A target that already has rows is only compared: an earlier run may have been killed after it had committed them. */
async function compare(from: pg.PoolClient, into: pg.PoolClient, tables: Table[], print: Print) {
  const lines: string[] = [];
  // Keys of independent servers always differ. They are compared last, so that the error names another table if that
  // differs as well.
  const keys = tables.filter(({ name }) => name === keysTable);
  const others = tables.filter(({ name }) => name !== keysTable);
  for (const table of [...others, ...keys]) {
    const fingerprint = await fingerprintOf(from, table).catch(rethrowSource);
    const found = await fingerprintOf(into, table).catch(nullIfUndefined);
    if (!found || !isEqual(fingerprint, found)) throw foreignRows(table.name);
    lines.push(`${table.name}: ${plural(fingerprint.rows, 'row')} there already, checked`);
  }
  for (const line of lines) print(line);
  print('Everything was in the new database already.');
}

/** For the error of a query in which PostgreSQL does not know the table (42P01) or a column (42703). */
function nullIfUndefined(error: NodeJS.ErrnoException): null {
  if (error.code === '42P01' || error.code === '42703') return null;
  throw error;
}

function foreignRows(name: string): CommandError {
  return cannotStart(
    `The new database holds rows already, and ${name} has others than here. Nothing was written. Use an empty database; if a server has run on it since an earlier transfer, there is nothing left to do.`,
  );
}

function copyDiffers(name: string): CommandError {
  return new CommandError(
    exitCodes.failed,
    `${name} is not the same after copying: something in the new database changes or drops rows, a trigger perhaps. Nothing was stored.`,
  );
}

function rethrowSource(error: Error): never {
  throw sourceError(error);
}

function rethrow(error: unknown): never {
  throw targetError(error);
}

/**
 * Prints the command that starts the server on the new database. It reads the token secret from the file in the data
 * folder, so that sessions stay valid. Without that file it only says that the secret must be as it was. Passwords are
 * replaced by ***.
 */
function printStart({ dataDir, to }: TransferOptions, print: Print): void {
  const url = new URL(to);
  if (url.password) url.password = '***';
  if (url.searchParams.has('password')) url.searchParams.set('password', '***');
  const secretFile = path.join(dataDir, 'token-secret');
  let secret = "'the same as before'";
  if (existsSync(secretFile)) {
    secret = `"$(cat ${shellQuoted(secretFile)})"`;
    // A server that is started with JWT_SECRET ignores the file.
    print(
      'If the server was started with JWT_SECRET, use that secret; another one signs everybody out.',
    );
  }
  print(
    `Start the server on it: DATABASE_URL=${shellQuoted(url.href)} JWT_SECRET=${secret} npm start`,
  );
}
