import pg from 'pg';
import { expect, test } from 'vitest';
import type { Database } from '#server/database/database.ts';
import { openTestDatabase } from '../../support/database/database.ts';
import { asAdmin } from '../../support/database/postgres.ts';
import { provided } from '../../support/provided.ts';

// Most tests of this project use databases that earlier tests have emptied.

const placeOf = async ({ pool }: Database): Promise<{ name: string; connection: number }> =>
  (await pool.query('SELECT current_database() AS name, pg_backend_pid() AS connection')).rows[0];

const addRow = ({ pool }: Database) =>
  pool.query("INSERT INTO rate_limits (key, count, resets_at) VALUES ('sign-in', 1, now())");

async function exists(name: string): Promise<boolean> {
  const { rowCount } = await asAdmin(
    provided('postgres'),
    `SELECT FROM pg_database WHERE datname = '${name}'`,
  );
  return rowCount === 1;
}

test('the next test gets the database and the connection of a closed one, but not its rows', async () => {
  const first = await openTestDatabase();
  const place = await placeOf(first);
  await addRow(first);
  await first.close();
  const second = await openTestDatabase();
  expect(await placeOf(second)).toEqual(place);
  expect((await second.pool.query('SELECT FROM rate_limits')).rowCount).toBe(0);
  await second.close();
});

test('a database that is open is not used by another test, and is closed once only', async () => {
  const first = await openTestDatabase();
  const second = await openTestDatabase();
  expect((await placeOf(second)).name).not.toBe((await placeOf(first)).name);
  await first.close();
  await expect(first.close()).rejects.toThrow('already closed');
  await second.close();
});

type Change = (db: Database, name: string) => unknown;
const changes: [name: string, change: Change][] = [
  ['a new column', ({ pool }) => pool.query('ALTER TABLE rate_limits ADD COLUMN note text')],
  ['a new constraint', ({ pool }) => pool.query('ALTER TABLE rate_limits ADD CHECK (count > 0)')],
  ['a new table', ({ pool }) => pool.query('CREATE TABLE kept (id int)')],
  ['statistics for query plans', ({ pool }) => pool.query('ANALYZE rate_limits')],
  ['a setting', ({ pool }, name) => pool.query(`ALTER DATABASE ${name} SET work_mem = '8MB'`)],
  [
    'another query function of the pool',
    ({ pool }) => Object.assign(pool, { query: pool.query.bind(pool) }),
  ],
  ['a listener of the pool', ({ pool }) => pool.on('connect', () => undefined)],
];

test.each(changes)('a database is dropped after a test has left %s', async (_, change) => {
  const db = await openTestDatabase();
  const { name } = await placeOf(db);
  await addRow(db);
  await change(db, name);
  await db.close();
  expect(await exists(name)).toBe(false);
});

test('a database is dropped if one of its connections is in use when it is closed', async () => {
  const db = await openTestDatabase();
  const { name } = await placeOf(db);
  const client = await db.pool.connect();
  const closed = db.close();
  client.release();
  await closed;
  expect(await exists(name)).toBe(false);
});

test('a database is dropped if another connection holds a lock', async () => {
  const db = await openTestDatabase();
  const { name } = await placeOf(db);
  const other = new pg.Client({ ...provided('postgres'), database: name });
  other.on('error', () => undefined);
  await other.connect();
  await other.query('BEGIN; LOCK TABLE rate_limits');
  await db.close();
  expect(await exists(name)).toBe(false);
});
