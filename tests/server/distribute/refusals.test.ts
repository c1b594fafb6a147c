import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeTestDatabase } from '../../support/database/database.ts';
import { runDistribute } from './support/run-distribute.ts';

let place: Awaited<ReturnType<typeof makeTestDatabase>>;
beforeEach(async () => {
  place = await makeTestDatabase({ migrated: false });
});
afterEach(() => place.drop());

test('a database without Citus is refused and gets no tables', async () => {
  for (const args of [[], ['--check']]) {
    const { code, stderr, lines } = await runDistribute(place.url, ...args);
    expect([code, lines]).toEqual([3, []]);
    expect(stderr).toMatch(/^The database has no Citus\. .*CREATE EXTENSION citus;\n$/);
  }
  const client = new pg.Client({ connectionString: place.url });
  await client.connect();
  const { rows } = await client.query("SELECT to_regclass('users') AS users");
  await client.end();
  expect(rows).toEqual([{ users: null }]);
});

test('a wrong port is reported in one line, without the password', async () => {
  const { code, stderr } = await runDistribute('postgres://me:hunter2@127.0.0.1:1/plants');
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /^The database: it does not respond; check that it runs .* \(.*ECONNREFUSED.*\n$/,
  );
  expect(stderr).not.toContain('hunter2');
});

test.each([
  ['', []],
  ['mysql://me:hunter2@db/plants', []],
  ['postgres://db/plants', ['--now']],
  ['', ['postgres://me:hunter2@db/plants']],
])('DATABASE_URL=%j with the arguments %j is refused with a usage message', async (url, args) => {
  const { code, stderr, lines } = await runDistribute(url, ...args);
  expect([code, lines]).toEqual([2, []]);
  expect(stderr).toContain('npm run distribute -- --help');
  expect(stderr).not.toContain('hunter2');
});

test('--help describes --check, DATABASE_URL and the exit codes', async () => {
  const { code, lines } = await runDistribute('', '--help');
  expect(code).toBe(0);
  for (const word of ['--check', 'DATABASE_URL', 'Ends with 0']) {
    expect(lines.join('\n')).toContain(word);
  }
});
