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
    if (encoding !== 'UTF8') return `has the encoding ${encoding}; make it with ENCODING 'UTF8'`;
  }
  return null;
}
