import fs from 'node:fs';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  changeEmail,
  changeUsername,
  ensureAccount,
  findAccount,
} from '#server/accounts/sign-in-names.ts';
import { type Database, databaseOver } from '#server/database/database.ts';
import { transaction } from '#server/database/transaction.ts';
import { makeTestDatabase } from '../../support/database/database.ts';
import { untilWaiting } from '../../support/database/database-waits.ts';

const folder = new URL('../../../src/server/database/migrations/', import.meta.url);
const newTables = '0006_sign_in_names.sql';
const migrations = fs.readdirSync(folder).filter((name) => name.endsWith('.sql'));
const textOf = (name: string) => fs.readFileSync(new URL(name, folder), 'utf8');

let db: Database;
beforeEach(async () => {
  const { url, drop } = await makeTestDatabase({ migrated: false });
  db = databaseOver(new pg.Pool({ connectionString: url }), { close: drop });
  for (const name of migrations.filter((each) => each < newTables))
    await db.pool.query(textOf(name));
});
afterEach(() => db.close());

/** Runs the migration of the sign-in names and all later ones, since this server reads their columns too. */
async function upgrade() {
  for (const name of migrations.filter((each) => each >= newTables))
    await db.pool.query(textOf(name));
}

/** Registers as version 0.1 does, over the given connection. Resolves to the account's id. */
async function registerAsBefore(on: pg.Pool | pg.PoolClient, email: string, username: string) {
  const { rows } = await on.query<{ id: string }>(
    `INSERT INTO users (id, email, email_key, username, username_key, password_hash, created_at)
      VALUES (gen_random_uuid(), $1, lower($1), $2, lower($2), 'x', now())
      ON CONFLICT (email_key) DO UPDATE SET email_key = excluded.email_key RETURNING id`,
    [email, username],
  );
  return rows[0]?.id;
}

async function register(email: string, username: string) {
  const person = {
    id: crypto.randomUUID(),
    email,
    username,
    passwordHash: 'y',
    createdAt: new Date(),
  };
  return (await transaction(db, (tx) => ensureAccount(tx, person))).account.id;
}

const found = async (name: string) => (await findAccount(db.orm, name))?.id;

test('an account of version 0.1 is found by its email address, and by its username unless another account has the same one', async () => {
  const rosa = await registerAsBefore(db.pool, 'Rosa@example.org', 'Rosa');
  const twin = await registerAsBefore(db.pool, 'twin@example.org', 'Twin');
  await registerAsBefore(db.pool, 'twin2@example.org', 'TWIN');
  await upgrade();
  expect(await found(' ROSA@example.org')).toBe(rosa);
  expect(await found('rosa')).toBe(rosa);
  expect(await found('twin@example.org')).toBe(twin);
  expect(await found('twin')).toBeUndefined();
});

test('an account that a process of 0.1 makes after the upgrade is found, and its address is taken', async () => {
  await upgrade();
  const rosa = await registerAsBefore(db.pool, 'rosa@example.org', 'Rosa');
  expect(await found('rosa@example.org')).toBe(rosa);
  expect(await found('rosa')).toBe(rosa);
  expect(await register('rosa@example.org', 'Another')).toBe(rosa);
  expect(await found('another')).toBeUndefined();
});

test('a process of 0.1 finds the address of an account that 0.2 made', async () => {
  await upgrade();
  const rosa = await register('rosa@example.org', 'Rosa');
  expect(await registerAsBefore(db.pool, 'rosa@example.org', 'Another')).toBe(rosa);
  expect(await found('another')).toBeUndefined();
  expect(await found('rosa')).toBe(rosa);
});

test('parallel registrations of one address by both versions make one account', async () => {
  await upgrade();
  const old = await db.pool.connect();
  await old.query('BEGIN');
  const first = await registerAsBefore(old, 'rosa@example.org', 'Rosa');
  const second = register('rosa@example.org', 'Rosa');
  await untilWaiting({ db });
  const third = registerAsBefore(db.pool, 'rosa@example.org', 'Rosa');
  await untilWaiting({ db }, 2);
  await old.query('COMMIT');
  old.release();
  expect([await second, await third]).toEqual([first, first]);
  const { rows } = await db.pool.query('SELECT count(*)::int AS n FROM users');
  expect(rows).toEqual([{ n: 1 }]);
});

test('a process of 0.1 waits for a process of 0.2 that is registering the same address', async () => {
  await upgrade();
  const person = { email: 'rosa@example.org', username: 'Rosa', passwordHash: 'y' };
  const id = crypto.randomUUID();
  const old = await transaction(db, async (tx) => {
    await ensureAccount(tx, { ...person, id, createdAt: new Date() });
    const waiting = registerAsBefore(db.pool, person.email, person.username);
    await untilWaiting({ db });
    return { waiting };
  });
  expect(await old.waiting).toBe(id);
});

test('after a change of address a process of 0.1 finds the account by the new one only', async () => {
  await upgrade();
  const rosa = await register('rosa@example.org', 'Rosa');
  await transaction(db, (tx) => changeEmail(tx, rosa, 'Rosa@new.example.org'));
  expect(await registerAsBefore(db.pool, 'rosa@new.example.org', 'Another')).toBe(rosa);
  const other = await registerAsBefore(db.pool, 'rosa@example.org', 'Another');
  expect(other).not.toBe(rosa);
  expect(await found('rosa@example.org')).toBe(other);
  expect(await found('rosa@new.example.org')).toBe(rosa);
});

test('a change of username also changes the column by which a process of 0.1 searches', async () => {
  await upgrade();
  const rosa = await register('rosa@example.org', 'Rosa');
  await transaction(db, (tx) => changeUsername(tx, rosa, 'Rosie'));
  const { rows } = await db.pool.query('SELECT username_key FROM users');
  expect(rows).toEqual([{ username_key: 'rosie' }]);
});

test('an account cannot change to an address that a process of 0.1 is registering', async () => {
  await upgrade();
  const rosa = await register('rosa@example.org', 'Rosa');
  const old = await db.pool.connect();
  await old.query('BEGIN');
  const other = await registerAsBefore(old, 'new@example.org', 'Another');
  // Otherwise changeEmail() would delete this account to free its address.
  await old.query('UPDATE users SET is_verified = true WHERE id = $1', [other]);
  const change = transaction(db, (tx) => changeEmail(tx, rosa, 'new@example.org'));
  await untilWaiting({ db });
  await old.query('COMMIT');
  old.release();
  expect(await change).toBe(null);
  expect(await found('new@example.org')).toBe(other);
  expect(await found('rosa@example.org')).toBe(rosa);
});

test('a process of 0.1 that registers an address waits for an account that is changing to it', async () => {
  await upgrade();
  const rosa = await register('rosa@example.org', 'Rosa');
  const old = await transaction(db, async (tx) => {
    await changeEmail(tx, rosa, 'new@example.org');
    const waiting = registerAsBefore(db.pool, 'new@example.org', 'Another');
    await untilWaiting({ db });
    return { waiting };
  });
  expect(await old.waiting).toBe(rosa);
});

test('an account that is registered during the migration is found after it', async () => {
  const old = await db.pool.connect();
  await old.query('BEGIN');
  const rosa = await registerAsBefore(old, 'rosa@example.org', 'Rosa');
  const upgrading = upgrade();
  await untilWaiting({ db });
  await old.query('COMMIT');
  old.release();
  await upgrading;
  expect(await found('rosa@example.org')).toBe(rosa);
});

test('an address and a name whose account was removed by hand can be registered again', async () => {
  await upgrade();
  const before = await register('rosa@example.org', 'Rosa');
  await db.pool.query('DELETE FROM users');
  expect(await found('rosa@example.org')).toBeUndefined();
  const after = await register('rosa@example.org', 'Rosa');
  expect(after).not.toBe(before);
  expect(await found('rosa@example.org')).toBe(after);
  expect(await found('rosa')).toBe(after);
});
