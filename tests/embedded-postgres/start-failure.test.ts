import { expect, test } from 'vitest';
import { clusterFiles } from '#embedded-postgres/cluster/cluster-files.ts';
import { describeFileError } from '#embedded-postgres/embedded-postgres-error.ts';
import { isTransient, startFailure, startTimeout } from '#embedded-postgres/process/server-log.ts';
import { temporaryFolder } from './support/data-folder.ts';

test.each([
  'FATAL:  lock file "postmaster.pid" already exists\nHINT:  Is another postmaster running?',
  'FATAL:  pre-existing shared memory block (key 1, ID 2) is still in use',
  'FATAL:  could not create lock file "/tmp/sprig-1/.s.PGSQL.5432.lock": No such file or directory',
  'LOG:  could not bind Unix address "/tmp/sprig-1/.s.PGSQL.5432": No such file or directory',
])(
  'a start failure because of another server, its leftovers or a removed socket folder counts as transient: %s',
  (log) => {
    expect(isTransient(log)).toBe(true);
  },
);

test('a start failure because of a missing data file does not count as transient', () => {
  expect(isTransient('FATAL:  could not open file "pg_wal": No such file or directory')).toBe(
    false,
  );
});

test.each([
  ['could not write lock file "postmaster.pid": No space left on device', 'the disk is full'],
  ['could not create lock file: Read-only file system', 'the file system is read-only'],
])('a disk error in the log is reported in plain words: %s', (log, words) => {
  const files = clusterFiles(temporaryFolder());
  const { message } = startFailure({ ...files, data: '/' }, `LOG:  starting\nFATAL:  ${log}\n`);
  expect(message).toContain(`${files.folder}: ${words}`);
});

test('a start that times out reports the end of the log in one line', () => {
  const log = 'one\ntwo\nthree\nfour\nfive\nsix\n';
  const { message } = startTimeout(clusterFiles('/data'), 60, log);
  expect(message).toMatch(/after 60 s.*: two \| three \| four \| five \| six$/);
});

test.each([
  ['ENOSPC', 'the disk is full'],
  ['EROFS', 'the file system is read-only'],
  ['EACCES', 'this user may not use it'],
])('a file system error is reported in plain words: %s', (code, words) => {
  const error = Object.assign(new Error('mkdir'), { code });
  expect(describeFileError(error, '/data')).toMatchObject({
    message: expect.stringContaining(words),
  });
});

test('an error without a file system code is returned unchanged', () => {
  const error = new TypeError('a mistake of ours');
  expect(describeFileError(error, '/data')).toBe(error);
});
