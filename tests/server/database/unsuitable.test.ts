import pg from 'pg';
import { expect, inject, onTestFinished, test } from 'vitest';
import { tablesIn } from '#server/database/inspect.ts';
import { openDatabase } from '#server/database/open-database.ts';
import { describeStartError } from '#server/start/start-error.ts';
import { addressOf, asAdmin, dropDatabase } from '../../support/database/postgres.ts';

/** A new database with the given encoding, dropped after the test. */
async function databaseWith(encoding: string): Promise<string> {
  const postgres = inject('postgres');
  const name = `${inject('templateDatabase')}_${encoding.toLowerCase()}`;
  const options = `ENCODING '${encoding}' LOCALE_PROVIDER libc LOCALE 'C' TEMPLATE template0`;
  await asAdmin(postgres, `CREATE DATABASE ${name} ${options}`);
  onTestFinished(() => dropDatabase([postgres], name));
  return addressOf(postgres, name);
}

const open = (databaseUrl: string) =>
  openDatabase({ databaseUrl, dataDir: '', queryTimeoutMs: 10_000 });

test.each(['LATIN1', 'SQL_ASCII'])(
  'a new database with the encoding %s, which cannot store all names, stops the start and stays empty',
  async (encoding) => {
    const url = await databaseWith(encoding);
    for (let starts = 0; starts < 2; starts += 1) {
      expect(await open(url).catch(describeStartError)).toBe(
        `the configuration is wrong: the database of DATABASE_URL has the encoding ${encoding}; create it with ENCODING 'UTF8'`,
      );
    }
  },
);

test.each<[string, 'username' | 'pathname', string, RegExp]>([
  [
    'a wrong user',
    'username',
    'stranger',
    /^the database of DATABASE_URL: it refuses the (password|user); correct DATABASE_URL \(/,
  ],
  [
    'a missing database',
    'pathname',
    '/nowhere',
    /^the database of DATABASE_URL: there is no such database; make it with CREATE DATABASE or correct/,
  ],
])('%s stops the start with a message that says what to do', async (_, part, value, words) => {
  const url = new URL(addressOf(inject('postgres'), 'postgres'));
  url[part] = value;
  expect(await open(url.href).catch(describeStartError)).toMatch(words);
});

test('a database in which another program has a table of the same name stops the start and is not changed', async () => {
  const url = await databaseWith('UTF8');
  const other = new pg.Client({ connectionString: url });
  await other.connect();
  onTestFinished(() => other.end());
  await other.query('CREATE TABLE users (name text)');
  expect(await open(url).catch(describeStartError)).toMatch(
    /^the database of DATABASE_URL: it has tables of another program; give Sprig a database of its own \(/,
  );
  expect(await tablesIn(other)).toEqual(['users']);
});

test('a new database with UTF8 gets its tables', async () => {
  const url = await databaseWith('UTF8');
  const { db } = await open(url);
  onTestFinished(() => db.close());
  expect((await db.pool.query('SELECT count(*)::int FROM users')).rows).toEqual([{ count: 0 }]);
});
