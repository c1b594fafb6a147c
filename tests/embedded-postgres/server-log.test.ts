import {
  appendFileSync,
  existsSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { clusterFiles } from '#embedded-postgres/cluster/cluster-files.ts';
import { logSince, logSize, rotateLog } from '#embedded-postgres/process/server-log.ts';
import { temporaryFolder, usedDataDir } from './support/data-folder.ts';
import { openHere, query } from './support/running-postgres.ts';

test('a log above the maximum size is rotated and replaces the previously rotated log', () => {
  const log = join(temporaryFolder(), 'server.log');
  for (let turn = 0; turn < 3; turn += 1) {
    writeFileSync(log, '');
    truncateSync(log, 6 * 1024 * 1024);
    rotateLog(log);
    expect(existsSync(log)).toBe(false);
  }
  expect(statSync(`${log}.old`).size).toBe(6 * 1024 * 1024);
});

test('a log below the maximum size is not rotated', () => {
  const log = join(temporaryFolder(), 'server.log');
  rotateLog(log);
  writeFileSync(log, 'line\n');
  rotateLog(log);
  expect(logSize(log)).toBe(5);
});

test('the log of a start does not include earlier lines', () => {
  const log = join(temporaryFolder(), 'server.log');
  writeFileSync(log, 'yesterday\n');
  const from = logSize(log);
  expect(logSince(log, from)).toBe('');
  appendFileSync(log, 'today\n');
  expect(logSince(log, from)).toBe('today\n');
});

test('only the last 4 KiB of a long log are returned', () => {
  const log = join(temporaryFolder(), 'server.log');
  writeFileSync(log, `${'x'.repeat(10_000)}end`);
  expect(logSince(log, 0)).toHaveLength(4096);
  expect(logSince(log, 0).endsWith('end')).toBe(true);
});

test('the log contains no row values of a failed statement', async () => {
  const dataDir = await usedDataDir();
  const { connection } = await openHere(dataDir);
  await query(connection, 'CREATE TABLE people (email text NOT NULL, name text NOT NULL)');
  const failing = `INSERT INTO people VALUES ('ada@example.org', NULL)`;
  await expect(query(connection, failing)).rejects.toThrow(/null value in column "name"/);
  expect(readFileSync(clusterFiles(dataDir).log, 'utf8')).not.toContain('ada@example.org');
});
