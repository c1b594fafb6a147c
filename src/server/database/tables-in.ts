import type { Queryable } from './transaction.ts';

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
