import { statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { clusterFiles } from '#embedded-postgres/cluster/cluster-files.ts';
import { freshDataDir, usedDataDir } from './support/data-folder.ts';
import { openHere, postmasterPid, query, untilGone } from './support/running-postgres.ts';

test('a data folder that does not exist is created, with a database that accepts queries', async () => {
  const postgres = await openHere(freshDataDir());
  const text = `SELECT current_database() AS database, current_user AS role,
    version() LIKE 'PostgreSQL 18.%' AS is18`;
  expect(postgres.adopted).toBe(false);
  expect(await query(postgres.connection, text)).toEqual([
    { database: 'sprig', role: 'sprig', is18: true },
  ]);
});

test('PostgreSQL syncs every commit, uses data checksums and listens on no network', async () => {
  const { connection } = await openHere(await usedDataDir());
  const text = `SELECT name, setting FROM pg_settings WHERE name IN
    ('fsync', 'synchronous_commit', 'full_page_writes', 'data_checksums', 'listen_addresses')
    ORDER BY name`;
  expect(await query(connection, text)).toEqual([
    { name: 'data_checksums', setting: 'on' },
    { name: 'fsync', setting: 'on' },
    { name: 'full_page_writes', setting: 'on' },
    { name: 'listen_addresses', setting: '' },
    { name: 'synchronous_commit', setting: 'on' },
  ]);
});

test('a connection needs the password, whose file only its owner can read', async () => {
  const dataDir = await usedDataDir();
  const { connection } = await openHere(dataDir);
  const wrong = query({ ...connection, password: 'wrong' }, 'SELECT 1');
  await expect(wrong).rejects.toMatchObject({ code: '28P01' });
  await expect(query({ ...connection, password: '' }, 'SELECT 1')).rejects.toThrow();
  expect(statSync(clusterFiles(dataDir).password).mode & 0o777).toBe(0o600);
  expect(statSync(connection.host).mode & 0o777).toBe(0o700);
});

test('two data folders have different passwords and different socket folders', async () => {
  const [one, other] = await Promise.all([openHere(freshDataDir()), openHere(freshDataDir())]);
  expect(one.connection.host).not.toBe(other.connection.host);
  expect(one.connection.password).not.toBe(other.connection.password);
});

test('opening a folder a second time uses its running server, and stopping the second one leaves the server running', async () => {
  const dataDir = await usedDataDir();
  const first = await openHere(dataDir);
  await query(first.connection, 'CREATE TABLE seen (id int); INSERT INTO seen VALUES (1)');
  const second = await openHere(dataDir);
  expect(second.adopted).toBe(true);
  expect(await query(second.connection, 'SELECT id FROM seen')).toEqual([{ id: 1 }]);
  await second.stop();
  expect(await query(first.connection, 'SELECT id FROM seen')).toEqual([{ id: 1 }]);
});

test('a clean stop leaves no process and the next start finds every row', async () => {
  const dataDir = await usedDataDir();
  const first = await openHere(dataDir);
  await query(first.connection, 'CREATE TABLE kept (id int); INSERT INTO kept VALUES (1), (2)');
  const pid = postmasterPid(dataDir) ?? 0;
  await first.stop();
  expect(postmasterPid(dataDir)).toBeUndefined();
  await untilGone(pid, dataDir);
  const second = await openHere(dataDir);
  expect(second.adopted).toBe(false);
  expect(await query(second.connection, 'SELECT id FROM kept ORDER BY id')).toEqual([
    { id: 1 },
    { id: 2 },
  ]);
});

test('a data path may contain spaces and quotes and be too long for a socket', async () => {
  const dataDir = `${freshDataDir()}/${'my "plants", é\'s '.repeat(8)}/data`;
  const { connection } = await openHere(dataDir);
  expect(await query(connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
});
