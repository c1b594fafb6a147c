import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Database, databaseOver, openPool } from '#server/database/database.ts';
import { serverKeys } from '#server/reminders/server-keys.ts';
import { openNewDatabase } from '../../support/database/database.ts';
import { provided } from '../../support/provided.ts';

let db: Database;
beforeEach(async () => {
  db = await openNewDatabase();
});
afterEach(() => db.close());

/** Another process on the same database. */
async function otherProcess(): Promise<Database> {
  const { rows } = await db.pool.query('SELECT current_database() AS name');
  return databaseOver(openPool({ ...provided('postgres'), database: rows[0].name, max: 2 }));
}

test('processes that start at the same time get the same keys', async () => {
  const processes = await Promise.all(Array.from({ length: 6 }, otherProcess));
  const [first, ...others] = await Promise.all(processes.map((process) => serverKeys(process)));
  for (const keys of others) expect(keys).toEqual(first);
  for (const process of processes) await process.close();
  expect((await db.pool.query('SELECT 1 FROM server_keys')).rowCount).toBe(2);
});

test('keys stay the same after a restart', async () => {
  const before = await serverKeys(db);
  const later = await otherProcess();
  expect(await serverKeys(later)).toEqual(before);
  await later.close();
});

test('after a failure the next call tries again', async () => {
  const { query } = db.pool;
  db.pool.query = (() => Promise.reject(new Error('lost'))) as typeof query;
  await expect(serverKeys(db)).rejects.toThrow('lost');
  db.pool.query = query;
  expect((await serverKeys(db)).vapid.publicKey).toHaveLength(87);
});

test('damaged keys are an error and are not replaced', async () => {
  await db.pool.query("INSERT INTO server_keys (name, value) VALUES ('vapid', '{}')");
  await expect(serverKeys(db)).rejects.toThrow();
  const { rows } = await db.pool.query("SELECT value FROM server_keys WHERE name = 'vapid'");
  expect(rows).toEqual([{ value: '{}' }]);
});
