import type { ClientBase } from 'pg';
import {
  distributeNew,
  oneShardAtATime,
  undistributedFunctions,
  undistributedTables,
} from '../database/distribution.ts';
import { requireNobodyElse } from './cluster.ts';

/**
 * Tables that stay on the coordinator, but are written in one transaction with rows of an account. Citus must know
 * them: it then uses a two-phase commit, so that after a crash either both machines have committed or neither.
 */
const besideAccounts = ['mail_outbox', 'sign_in_names'];

/** Tables and functions that are not distributed yet. */
export interface Missing {
  users: boolean;
  tables: string[];
  functions: string[];
  /** Tables that stay on the coordinator and are not registered with Citus yet. */
  local: string[];
}

export function isComplete({ users, tables, functions, local }: Missing): boolean {
  return !users && tables.length + functions.length + local.length === 0;
}

export async function findMissing(client: ClientBase): Promise<Missing> {
  const { rows } = await client.query<{ name: string; isUsers: boolean }>(
    `SELECT name, name = 'users' AS "isUsers" FROM unnest($1::text[]) AS name
    WHERE to_regclass('public.' || name) IS NOT NULL
      AND to_regclass('public.' || name) NOT IN (SELECT logicalrelid FROM pg_dist_partition)`,
    [['users', ...besideAccounts]],
  );
  const local = rows.filter(({ isUsers }) => !isUsers).map(({ name }) => name);
  return {
    users: rows.some(({ isUsers }) => isUsers),
    tables: await undistributedTables(client),
    functions: await undistributedFunctions(client),
    local,
  };
}

/** Distributes everything that is missing, in one transaction. */
export async function distributeMissing(client: ClientBase, missing: Missing): Promise<void> {
  await client.query('BEGIN');
  await client.query("SET LOCAL lock_timeout TO '10s'");
  await client.query('SET LOCAL client_min_messages TO error');
  await client.query(oneShardAtATime);
  await lockAll(client);
  await requireNobodyElse(client);
  const placed = [...(missing.users ? ['users'] : []), ...missing.tables];
  const keys = await dropForeignKeys(client, placed);
  if (missing.users) {
    await dropObstacles(client);
    await client.query("SELECT create_distributed_table('users', 'id', colocate_with => 'none')");
  }
  await distributeNew(client);
  for (const name of missing.local) {
    await client.query('SELECT citus_add_local_table_to_metadata($1)', [name]);
  }
  for (const { table, name, definition } of keys) {
    await client.query(`ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition}`);
  }
  await client.query('COMMIT');
}

/** Always in the same order, so that two runs cannot deadlock. */
async function lockAll(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ table: string }>(
    `SELECT oid::regclass::text AS "table" FROM pg_class c
    WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
      AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'e')
    ORDER BY relname`,
  );
  const tables = rows.map(({ table }) => table).join(', ');
  await client.query(`LOCK TABLE ${tables} IN ACCESS EXCLUSIVE MODE`);
}

interface ForeignKey {
  table: string;
  name: string;
  definition: string;
}

/**
 * Drops the foreign keys of the tables and returns them. Citus does not allow a foreign key between a table that is
 * distributed and one that is not yet, and the tables are distributed one after another.
 */
async function dropForeignKeys(client: ClientBase, tables: readonly string[]) {
  const { rows: keys } = await client.query<ForeignKey>(
    `SELECT conrelid::regclass::text AS "table", quote_ident(conname) AS name,
      pg_get_constraintdef(oid) AS definition
    FROM pg_constraint
    WHERE contype = 'f' AND (conrelid = ANY ($1::regclass[]) OR confrelid = ANY ($1::regclass[]))
    ORDER BY conname`,
    [tables],
  );
  for (const { table, name } of keys) {
    await client.query(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`);
  }
  return keys;
}

/**
 * Drops what `users` cannot have when it is distributed: triggers, which update sign_in_names for servers of version
 * 0.1, and unique indexes without its distribution column. sign_in_names keeps email addresses unique.
 */
async function dropObstacles(client: ClientBase): Promise<void> {
  const { rows: triggers } = await client.query<{ name: string }>(
    `SELECT quote_ident(tgname) AS name FROM pg_trigger
    WHERE tgrelid = 'users'::regclass AND NOT tgisinternal`,
  );
  for (const { name } of triggers) await client.query(`DROP TRIGGER ${name} ON users`);
  const { rows: indexes } = await client.query<{ name: string }>(
    `SELECT indexrelid::regclass::text AS name FROM pg_index
    WHERE indrelid = 'users'::regclass AND indisunique AND NOT indisprimary`,
  );
  for (const { name } of indexes) await client.query(`DROP INDEX ${name}`);
}

/** Removes the rows of distributed tables that are still stored on the coordinator too, and updates their statistics. */
export async function removeOldCopies(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ table: string }>(
    "SELECT logicalrelid::text AS table FROM pg_dist_partition WHERE partmethod = 'h' ORDER BY 1",
  );
  for (const { table } of rows) {
    await client.query('SELECT truncate_local_data_after_distributing_table($1)', [table]);
  }
  await client.query(`ANALYZE ${rows.map(({ table }) => table).join(', ')}`);
}
