import { afterAll, afterEach, beforeAll, expect, inject, onTestFinished, test } from 'vitest';
import { reachableDataDir, removeDataDir } from '../../support/database/data-dir.ts';
import { oneMachineTest } from '../../support/database/one-machine.ts';
import { fillDataDir, type Garden, withDatabase } from './support/filled-data-dir.ts';
import { makeTarget, runTransfer, type Target } from './support/run-transfer.ts';

let garden: Garden;
const targets: Target[] = [];
beforeAll(async () => {
  garden = await fillDataDir();
});
afterEach(async () => {
  for (const target of targets.splice(0)) await target.drop();
});
afterAll(() => removeDataDir(garden.dataDir));

async function target(options?: { migrated: boolean }): Promise<Target> {
  const made = await makeTarget(options);
  targets.push(made);
  return made;
}

const newerMigration =
  "INSERT INTO drizzle.__drizzle_migrations (hash, created_at) VALUES ('x', 9999999999999)";

const move = (to: string) => runTransfer(garden.dataDir, '--to', to);

test('a database with rows of another Sprig server is refused and not changed', async () => {
  const other = await target({ migrated: true });
  await other.rows(`INSERT INTO users (id, email, email_key, username, username_key, password_hash, created_at)
    VALUES (gen_random_uuid(), 'a@b.c', 'a@b.c', 'A', 'a', 'x', now())`);
  const before = await other.rows('SELECT * FROM users');
  const { code, stderr, lines } = await move(other.url);
  expect([code, lines]).toEqual([3, []]);
  expect(stderr).toContain('holds rows already, and sign_in_names has others than here');
  expect(await other.rows('SELECT * FROM users')).toEqual(before);
  expect(await other.count('plants')).toBe(0);
});

const restart =
  'A server has used the new database before: restart every server on it, because its keys were replaced.';

test('a database that holds nothing but server keys is filled and does not keep these keys, and servers on it must be restarted', async () => {
  const other = await target({ migrated: true });
  await other.rows(`INSERT INTO server_keys (name, value) VALUES ('unsubscribe', 'another')`);
  const { code, lines } = await move(other.url);
  expect([code, lines.at(-3)]).toEqual([0, restart]);
  const keys = await other.rows(`SELECT value FROM server_keys WHERE name = 'unsubscribe'`);
  expect(keys).not.toEqual([{ value: 'another' }]);
  expect(await other.count('users')).toBeGreaterThan(0);
});

test('a database of another program is refused and not changed, even if a table has one of our names', async () => {
  const other = await target();
  await other.rows('CREATE TABLE invoices (id int); CREATE TABLE users (name text)');
  const { code, stderr } = await move(other.url);
  expect(code).toBe(3);
  expect(stderr).toMatch(/^The new database holds tables of another program \(invoices, users\)/);
  expect(await other.count('plants')).toBeNull();
  expect(await other.rows("SELECT nspname FROM pg_namespace WHERE nspname = 'drizzle'")).toEqual(
    [],
  );
});

test('a database with the schema of a newer version is refused with a message that says so', async () => {
  const newer = await target({ migrated: true });
  await newer.rows(`CREATE TABLE greenhouses (id int); ${newerMigration}`);
  const { code, stderr, lines } = await move(newer.url);
  expect([code, lines]).toEqual([3, []]);
  expect(stderr).toBe(
    'The new database was last used by a newer version of Sprig. Run the transfer of that version.\n',
  );
});

// A distributed table cannot have triggers.
oneMachineTest(
  'a database that alters copied rows is detected, and nothing is stored',
  async () => {
    const other = await target({ migrated: true });
    await other.rows(`CREATE FUNCTION shorten() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN NEW.nickname := left(NEW.nickname, 3); RETURN NEW; END $$;
    CREATE TRIGGER shorten BEFORE INSERT ON plants FOR EACH ROW EXECUTE FUNCTION shorten()`);
    const { code, stderr } = await move(other.url);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^plants is not the same after copying/);
    expect(await other.count('users')).toBe(0);
  },
);

test('a database with our empty schema is filled', async () => {
  const other = await target({ migrated: true });
  const { code, stderr, lines } = await move(other.url);
  expect([code, stderr]).toEqual([0, '']);
  expect(lines).not.toContain(restart);
  expect(await other.count('plants')).toBe(2);
});

test.each<[string, 'username' | 'pathname' | 'port', string, RegExp]>([
  ['a wrong user', 'username', 'stranger', /^The new database: it refuses the (password|user)/],
  [
    'a missing database',
    'pathname',
    '/nowhere',
    /^The new database: there is no such database; .* or correct --to or DATABASE_URL/,
  ],
  ['a wrong port', 'port', '1', /^The new database: it does not respond/],
])('%s is reported in one line, without the password', async (_, part, value, words) => {
  const url = new URL((await target()).url);
  url[part] = value;
  const { code, stderr, lines } = await move(url.href);
  expect([code, lines]).toEqual([1, []]);
  expect(stderr).toMatch(words);
  expect(stderr.trim()).not.toContain('\n');
  expect(stderr).not.toContain(`:${inject('postgres').password}@`);
});

test.each([
  [['--to', 'mysql://me:hunter2@db/plants'], /^--to or DATABASE_URL must be a URL like postgres:/],
  [['--to', 'postgres://me:hunter2@[db'], /^--to or DATABASE_URL must be a URL/],
  [[], /^--to or DATABASE_URL is missing/],
  [['--from', 'x'], /^Unknown option '--from'/],
  [['postgres://me:hunter2@db/plants'], /^A value has no option before it\n/],
])('the arguments %j are rejected with a usage message', async (args, words) => {
  const { code, stderr, lines } = await runTransfer(garden.dataDir, ...args);
  expect([code, lines]).toEqual([2, []]);
  expect(stderr).toMatch(words);
  expect(stderr).not.toContain('hunter2');
});

test('a folder without a database is refused with a message that contains its path and names DATA_DIR', async () => {
  const nowhere = reachableDataDir();
  const { code, stderr } = await runTransfer(nowhere, '--to', (await target()).url);
  expect(code).toBe(3);
  expect(stderr).toBe(
    `There is no embedded database in ${nowhere}; set DATA_DIR to the folder that the server keeps its data in.\n`,
  );
  await removeDataDir(nowhere);
});

test('--help describes --to, DATA_DIR and the exit codes', async () => {
  const { code, lines } = await runTransfer(garden.dataDir, '--help');
  expect(code).toBe(0);
  expect(lines.join('\n')).toMatch(/--to URL[\s\S]*DATA_DIR[\s\S]*Ends with 0/);
});

// The last test, because it changes the folder.
test('a folder that was used by a newer version is refused with a message that says so', async () => {
  const { dataDir } = garden;
  await withDatabase(dataDir, (pool) => pool.query(newerMigration));
  onTestFinished(() =>
    withDatabase(dataDir, async (pool) => {
      await pool.query("DELETE FROM drizzle.__drizzle_migrations WHERE hash = 'x'");
    }),
  );
  const { code, stderr } = await move((await target()).url);
  expect(code).toBe(3);
  expect(stderr).toBe(
    `The database in ${dataDir} was last used by a newer version of Sprig. Run the transfer of that version.\n`,
  );
});
