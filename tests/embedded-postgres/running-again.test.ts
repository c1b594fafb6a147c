import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { clusterFiles } from '#embedded-postgres/cluster/cluster-files.ts';
import { usedDataDir } from './support/data-folder.ts';
import { openHere, postmasterPid, query, untilGone } from './support/running-postgres.ts';

test('a server that was killed is started again, once for all who ask', async () => {
  const dataDir = await usedDataDir();
  const postgres = await openHere(dataDir);
  await query(postgres.connection, 'CREATE TABLE kept (id int); INSERT INTO kept VALUES (1)');
  const pid = postmasterPid(dataDir) ?? 0;
  process.kill(pid, 'SIGKILL');
  await untilGone(pid, dataDir);
  const attempts = [postgres.ensureRunning(), postgres.ensureRunning()];
  expect(attempts[0]).toBe(attempts[1]);
  await Promise.all(attempts);
  expect(await query(postgres.connection, 'SELECT id FROM kept')).toEqual([{ id: 1 }]);
  expect(postgres.adopted).toBe(false);
});

test('a server that runs is left alone', async () => {
  const dataDir = await usedDataDir();
  const postgres = await openHere(dataDir);
  const pid = postmasterPid(dataDir);
  await postgres.ensureRunning();
  expect(postmasterPid(dataDir)).toBe(pid);
});

test('a cleaning of the temporary files costs a restart and nothing else', async () => {
  const dataDir = await usedDataDir();
  const postgres = await openHere(dataDir);
  rmSync(postgres.connection.host, { recursive: true });
  await postgres.ensureRunning();
  expect(await query(postgres.connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
});

test('an adopter cannot mend a swept socket and says who can', async () => {
  const dataDir = await usedDataDir();
  const owner = await openHere(dataDir);
  const adopter = await openHere(dataDir);
  rmSync(owner.connection.host, { recursive: true });
  await expect(adopter.ensureRunning()).rejects.toThrow(/stop the program that started it/);
  await owner.ensureRunning();
  await adopter.ensureRunning();
  expect(await query(adopter.connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
});

test('a start that failed is tried anew when asked again', async () => {
  const dataDir = await usedDataDir();
  const postgres = await openHere(dataDir);
  const pid = postmasterPid(dataDir) ?? 0;
  process.kill(pid, 'SIGINT');
  await untilGone(pid, dataDir);
  const control = join(clusterFiles(dataDir).data, 'global/pg_control');
  renameSync(control, `${control}.away`);
  await expect(postgres.ensureRunning()).rejects.toThrow(/pg_control/);
  renameSync(`${control}.away`, control);
  await postgres.ensureRunning();
  expect(await query(postgres.connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
});

test('a stopped database is not started again', async () => {
  const postgres = await openHere(await usedDataDir());
  await postgres.stop();
  await expect(postgres.ensureRunning()).rejects.toThrow(/stopped/);
});

test('a lock file whose process number went to another program holds nothing up', async () => {
  const dataDir = await usedDataDir();
  const first = await openHere(dataDir);
  await first.stop();
  const { data } = clusterFiles(dataDir);
  const lock = [process.ppid, data, 1, 5432, '', '', '', 'ready', ''].join('\n');
  writeFileSync(join(data, 'postmaster.pid'), lock, { mode: 0o666 });
  const second = await openHere(dataDir);
  expect(await query(second.connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
});
