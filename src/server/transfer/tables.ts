import type { ClientBase } from 'pg';

/** A table as both sides know it; names are quoted where SQL wants it. */
export interface Table {
  /** For messages. */
  name: string;
  sql: string;
  columns: string[];
  /** Names of the tables whose rows its own point to. */
  references: string[];
}

/** The content of a table, independent of its storage and the order of rows. */
export interface Content {
  rows: number;
  checksum: string;
}

/** Text that both sides write comparableText: moments in one zone, numbers with all their digits. */
export const comparableText = `SET LOCAL timezone TO 'UTC'; SET LOCAL datestyle TO 'ISO, YMD'; SET LOCAL extra_float_digits TO 1;
  SET LOCAL statement_timeout TO 0; SET LOCAL idle_in_transaction_session_timeout TO 0`;

/** Every table of the schema, those that others point to first. Read from the database, so that none is missing. */
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
    if (next.length === 0) throw new Error('tables point to each other in a circle');
    sorted.push(...next);
  }
  return sorted;
}

/** Counts and adds up a hash of every row, which needs no order and no memory. */
export async function contentOf(client: ClientBase, table: Table): Promise<Content> {
  const { rows } = await client.query<{ rows: string; checksum: string }>(`
    SELECT count(*) AS rows, coalesce(sum(('x' || left(md5(ROW(${table.columns})::text), 16))::bit(64)::bigint), 0) AS checksum
    FROM ${table.sql}`);
  const [found] = rows;
  if (!found) throw new Error(`${table.name} was not counted`);
  return { rows: Number(found.rows), checksum: found.checksum };
}

export function isEqual(a: Content, b: Content): boolean {
  return a.rows === b.rows && a.checksum === b.checksum;
}

export function countRows({ rows }: Content): string {
  return rows === 1 ? '1 row' : `${rows} rows`;
}
