import type { Queryable } from './transaction.ts';

const oldest = { number: 150_000, name: 'PostgreSQL 15' };

/** Why a database cannot hold Sprig's data, as the end of a sentence about it; null if it can. */
export async function whyUnsuitable(db: Queryable): Promise<string | null> {
  const { rows } = await db.query<{ version: string; number: number; encoding: string }>({
    text: `SELECT current_setting('server_version') AS version, current_setting('server_version_num')::int AS number,
      current_setting('server_encoding') AS encoding`,
  });
  for (const { version, number, encoding } of rows) {
    if (number < oldest.number) {
      return `is PostgreSQL ${version}; Sprig needs ${oldest.name} or newer`;
    }
    if (encoding !== 'UTF8') return `has the encoding ${encoding}; create it with ENCODING 'UTF8'`;
  }
  return null;
}

/** The names of all tables of the schema `public` except those that belong to an extension. */
export async function tablesIn(db: Queryable): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>({
    text: `SELECT c.relname AS name FROM pg_class c
      WHERE c.relnamespace = to_regnamespace('public') AND c.relkind IN ('r', 'p', 'f')
        AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'e')
      ORDER BY c.relname`,
  });
  return rows.map(({ name }) => name);
}
