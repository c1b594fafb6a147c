import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { clusterFiles } from '#embedded-postgres/cluster/cluster-files.ts';
import { usedDataDir } from './support/data-folder.ts';
import { openHere, postmasterPid, query, untilGone } from './support/running-postgres.ts';

test('parallel calls of ensureRunning restart a killed server only once', async () => {
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

test('a running server is not restarted', async () => {
  const dataDir = await usedDataDir();
  const postgres = await openHere(dataDir);
  const pid = postmasterPid(dataDir);
  await postgres.ensureRunning();
  expect(postmasterPid(dataDir)).toBe(pid);
});

test('after the socket folder is deleted, the next call of ensureRunning makes queries work again', async () => {
  const dataDir = await usedDataDir();
  const postgres = await openHere(dataDir);
  rmSync(postgres.connection.host, { recursive: true });
  await postgres.ensureRunning();
  expect(await query(postgres.connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
});

test('a process that only adopted the server cannot restore a deleted socket, and its error says to stop the program that started the server', async () => {
  const dataDir = await usedDataDir();
  const owner = await openHere(dataDir);
  const adopter = await openHere(dataDir);
  rmSync(owner.connection.host, { recursive: true });
  await expect(adopter.ensureRunning()).rejects.toThrow(/stop the program that started it/);
  await owner.ensureRunning();
  await adopter.ensureRunning();
  expect(await query(adopter.connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
});

test('a failed start is retried by the next call', async () => {
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

test('ensureRunning fails after the database was stopped', async () => {
  const postgres = await openHere(await usedDataDir());
  await postgres.stop();
  await expect(postgres.ensureRunning()).rejects.toThrow(/stopped/);
});

test('a stale lock file whose pid was reused by another program does not prevent a start', async () => {
  const dataDir = await usedDataDir();
  writeLockFile(dataDir, process.ppid);
  const { connection } = await openHere(dataDir);
  expect(await query(connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
});

test.runIf(process.platform === 'linux')(
  'a stale lock file whose pid was reused by the PostgreSQL of another folder does not prevent a start',
  async () => {
    const other = await usedDataDir();
    await openHere(other);
    const dataDir = await usedDataDir();
    writeLockFile(dataDir, postmasterPid(other) ?? 0);
    const { connection } = await openHere(dataDir);
    expect(await query(connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  },
);

/** The lock file that a killed PostgreSQL leaves in its folder, with the given pid. */
function writeLockFile(dataDir: string, pid: number): void {
  const { data } = clusterFiles(dataDir);
  const lock = [pid, data, 1, 5432, '', '', '', 'ready', ''].join('\n');
  writeFileSync(join(data, 'postmaster.pid'), lock, { mode: 0o666 });
}
