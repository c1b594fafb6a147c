import { pipeline } from 'node:stream/promises';
import type { ClientBase } from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { sourceError } from './source.ts';

/** A table that exists on both sides. `sql` and `columns` are quoted where SQL requires it. */
export interface Table {
  /** Without quotes, for messages. */
  name: string;
  sql: string;
  columns: string[];
  /** Names of the other tables that its foreign keys refer to. */
  references: string[];
}

/** Every server fills this table when it starts. A database with rows only in this table still counts as empty. */
export const keysTable = 'server_keys';

/** A fingerprint of a table's rows: their number and a checksum that does not depend on storage or order. */
export interface TableFingerprint {
  rows: number;
  checksum: string;
}

/**
 * Settings with which both databases print equal values as equal texts (time zone, date style, all digits of numbers,
 * hexadecimal bytes), and without timeouts, because copying a large table takes long.
 */
export const comparableTextSettings = `SET LOCAL timezone TO 'UTC'; SET LOCAL datestyle TO 'ISO, YMD'; SET LOCAL extra_float_digits TO 1;
  SET LOCAL bytea_output TO 'hex'; SET LOCAL statement_timeout TO 0; SET LOCAL idle_in_transaction_session_timeout TO 0`;

/**
 * Every table of the schema, parents before children. Read from the database, so that none is missing. Tables of the
 * same level are sorted by name: sign_in_names must be filled before users, because triggers of users also fill it.
 */
export async function listTables(client: ClientBase): Promise<Table[]> {
  const { rows } = await client.query<Table>(`
    SELECT c.relname AS name, quote_ident(c.relname) AS sql,
      (SELECT array_agg(quote_ident(attname) ORDER BY attnum) FROM pg_attribute
        WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped) AS columns,
      ARRAY(SELECT f.relname::text FROM pg_constraint k JOIN pg_class f ON f.oid = k.confrelid
        WHERE k.conrelid = c.oid AND k.contype = 'f' AND f.oid <> c.oid) AS "references"
    FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' ORDER BY c.relname`);
  return parentsFirst(rows);
}

function parentsFirst(tables: Table[]): Table[] {
  const sorted: Table[] = [];
  while (sorted.length < tables.length) {
    const placed = new Set(sorted.map(({ name }) => name));
    const next = tables.filter(
      ({ name, references }) =>
        !placed.has(name) && references.every((parent) => placed.has(parent)),
    );
    if (next.length === 0) throw new Error('the foreign keys of the tables form a cycle');
    sorted.push(...next);
  }
  return sorted;
}

/** Counts the rows and adds up their hashes. A sum does not depend on the order of rows, so nothing is sorted. */
export async function fingerprintOf(client: ClientBase, table: Table): Promise<TableFingerprint> {
  const { rows } = await client.query<{ rows: string; checksum: string }>(`
    SELECT count(*) AS rows, coalesce(sum(('x' || left(md5(ROW(${table.columns})::text), 16))::bit(64)::bigint), 0) AS checksum
    FROM ${table.sql}`);
  const [found] = rows;
  if (!found) throw new Error(`${table.name} was not counted`);
  return { rows: Number(found.rows), checksum: found.checksum };
}

export function isEqual(a: TableFingerprint, b: TableFingerprint): boolean {
  return a.rows === b.rows && a.checksum === b.checksum;
}

/**
 * Streams the rows of a COPY … TO STDOUT into a COPY … FROM STDIN. Resolves once PostgreSQL has stored them. The
 * slower side sets the pace, so only a few packets are in memory. An error of the source becomes a sourceError.
 */
export async function copyAcross(
  from: { client: ClientBase; statement: string },
  to: { client: ClientBase; statement: string },
): Promise<void> {
  const rows = from.client.query(copyTo(from.statement));
  const target = to.client.query(copyFrom(to.statement));
  // pipeline() passes an error on to the other stream, so the side that failed is the one that reports it first.
  let failedSide: 'source' | 'target' | undefined;
  rows.once('error', () => {
    failedSide ??= 'source';
  });
  target.once('error', () => {
    failedSide ??= 'target';
  });
  try {
    await pipeline(rows, target);
  } catch (error) {
    throw failedSide === 'source' ? sourceError(error as Error) : error;
  }
}
