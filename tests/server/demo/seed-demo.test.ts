import { uuidv7 } from 'uuidv7';
import { expect, inject, onTestFinished, test } from 'vitest';
import { ensureAccount } from '#server/accounts/sign-in-names.ts';
import { databaseOver, openPool } from '#server/database/database.ts';
import { transaction } from '#server/database/transaction.ts';
import { seedDemo } from '#server/demo/run-demo.ts';
import { demoAccount } from '#server/demo/seed-demo.ts';
import { openTestDatabase } from '../../support/database/database.ts';
import { deferred } from '../../support/deferred.ts';

const now = new Date('2026-11-20T08:00:00Z');

test('a process that starts while another one inserts the demo garden waits for it, also longer than a statement may take', async () => {
  const first = await openTestDatabase();
  const { rows } = await first.pool.query<{ name: string }>('SELECT current_database() AS name');
  const connection = { ...inject('postgres'), database: rows[0]?.name, statement_timeout: 1_000 };
  const second = databaseOver(openPool(connection));
  const [inserted, mayCommit] = [deferred(), deferred()];
  const running: Promise<unknown>[] = [];
  onTestFinished(async () => {
    mayCommit.resolve();
    await Promise.allSettled(running);
    await second.close();
    await first.close();
  });
  const inserting = transaction(first, async (tx) => {
    const { email, username } = demoAccount;
    const person = { id: uuidv7(), email, username, passwordHash: 'x', isVerified: true };
    await ensureAccount(tx, { ...person, createdAt: now });
    inserted.resolve();
    await mayCommit.promise;
  });
  running.push(inserting);
  await inserted.promise;
  let transactions = 0;
  const { connect } = second.pool;
  second.pool.connect = ((...given: unknown[]) => {
    // A call with a callback comes from `pool.query`, outside of transactions.
    if (given.length === 0) transactions += 1;
    return Reflect.apply(connect, second.pool, given);
  }) as typeof connect;
  const seeding = seedDemo(second, now);
  running.push(seeding.catch(() => undefined));
  await expect.poll(() => transactions).toBeGreaterThan(1);
  mayCommit.resolve();
  await Promise.all([inserting, seeding]);
  // The other process has inserted the account, in this test without plants.
  expect((await first.pool.query('SELECT FROM users')).rowCount).toBe(1);
  expect((await first.pool.query('SELECT FROM plants')).rowCount).toBe(0);
});
