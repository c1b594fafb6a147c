import type pg from 'pg';
import type { Queryable } from './transaction.ts';

/**
 * On a Citus cluster all distributed rows of an account are on one machine. `users` is distributed by its id. The
 * tables and functions of accounts are distributed by the id of the account and colocated with `users`. They are found
 * in PostgreSQL's catalogue: tables whose primary key begins with user_id, and functions whose first parameter is named
 * `account`. All other tables, such as sign_in_names, stay on the coordinator.
 */

/** Whether the tables of accounts are distributed over the machines of a Citus cluster. */
export async function isDistributed(db: Queryable): Promise<boolean> {
  const text = "SELECT to_regclass('pg_catalog.pg_dist_partition') IS NOT NULL AS has";
  const { rows: extension } = await db.query<{ has: boolean }>({ text });
  if (!extension[0]?.has) return false;
  const { rows } = await db.query({
    text: `SELECT FROM pg_dist_partition WHERE logicalrelid = to_regclass('public.users') AND partmethod = 'h'`,
  });
  return rows.length > 0;
}

/** Citus allows DDL and changes of rows in one transaction only if it modifies the shards one after another. */
export const oneShardAtATime = "SET LOCAL citus.multi_shard_modify_mode TO 'sequential'";

/** The tables of accounts, except `users`, that are not distributed yet. */
export async function undistributedTables(client: Queryable): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>({
    text: `SELECT c.relname AS name FROM pg_class c
      JOIN pg_index i ON i.indrelid = c.oid AND i.indisprimary
      JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = i.indkey[0] AND a.attname = 'user_id'
      WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r'
        AND c.oid NOT IN (SELECT logicalrelid FROM pg_dist_partition WHERE partmethod = 'h')
      ORDER BY c.relname`,
  });
  return rows.map(({ name }) => name);
}

/** The SQL functions of accounts whose calls Citus does not delegate to the account's machine yet. */
export async function undistributedFunctions(client: Queryable): Promise<string[]> {
  const { rows } = await client.query<{ signature: string }>({
    text: `SELECT p.oid::regprocedure::text AS signature FROM pg_proc p
      WHERE p.pronamespace = 'public'::regnamespace AND p.proargnames[1] = 'account'
        AND NOT EXISTS (SELECT FROM pg_catalog.pg_dist_object o
          WHERE o.objid = p.oid AND o.classid = 'pg_proc'::regclass AND o.distribution_argument_index IS NOT NULL)
      ORDER BY 1`,
  });
  return rows.map(({ signature }) => signature);
}

/** Distributes the tables and SQL functions of accounts that are not distributed yet. `users` must be distributed. */
export async function distributeNew(client: pg.ClientBase): Promise<void> {
  for (const table of await undistributedTables(client)) {
    await client.query("SELECT create_distributed_table($1, 'user_id', colocate_with => 'users')", [
      table,
    ]);
  }
  for (const signature of await undistributedFunctions(client)) {
    await client.query(
      "SELECT create_distributed_function($1, 'account', colocate_with => 'users', force_delegation => true)",
      [signature],
    );
  }
}
