import type pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { checkDueAccounts } from '#server/reminders/check/check-job.ts';
import {
  changeReminders,
  check,
  deliveries,
  nextCheckOf,
  reminderClaims,
  subscribe,
} from '../../support/reminders/reminders.ts';
import { type TestClock, testClock } from '../../support/server/clock.ts';
import {
  type Account,
  addPlant,
  openTestServer,
  publicUrl,
  type TestServer,
} from '../../support/server/server.ts';

const service = { origin: 'https://fcm.googleapis.com' };

let server: TestServer;
let clock: TestClock;
let account: Account;
/** Nine o'clock in UTC+7, with a plant that is due and whose automatic watering is locked. */
beforeEach(async () => {
  clock = testClock('2026-11-20T01:00:00.000Z');
  server = await openTestServer(clock);
  account = await openGarden();
  clock.advance(3_600_000);
});
afterEach(() => server.close());

async function openGarden(): Promise<Account> {
  const owner = await server.addAccount();
  await changeReminders(server, owner, {
    push_enabled: true,
    mail_enabled: true,
    ntfy_enabled: true,
    ntfy_url: 'https://ntfy.sh/x',
  });
  await subscribe(server, owner, service);
  const { id } = await addPlant(server, owner, { nickname: 'Monty', device_id: 'pot-1' });
  await server.db.pool.query(
    `UPDATE plants SET next_watering_date = $3, auto_watering_enabled = true, auto_watering_locked = true
      WHERE user_id = $1 AND id = $2`,
    [owner.userId, id, clock()],
  );
  return owner;
}

async function queued() {
  const sent = await deliveries(server);
  const mails = await server.db.pool.query('SELECT recipient, subject FROM mail_outbox');
  return { deliveries: sent.length, mails: mails.rowCount };
}

const once = { deliveries: 4, mails: 2 };

test('one check queues the digest and the alert for every channel', async () => {
  expect(await check(server)).toBe(true);
  expect(await queued()).toEqual(once);
  expect(await reminderClaims(server, account.userId)).toEqual([
    'digest:2026-11-20',
    expect.stringMatching(/^locked:/),
  ]);
});

test('jobs that run at the same time queue the messages for each account only once', async () => {
  const others = await Promise.all([openGarden(), openGarden(), openGarden()]);
  for (const other of others) {
    await server.db.pool.query(
      'UPDATE reminder_settings SET digest_from = NULL WHERE user_id = $1',
      [other.userId],
    );
  }
  await Promise.all(Array.from({ length: 5 }, () => check(server)));
  expect(await queued()).toEqual({ deliveries: 16, mails: 8 });
});

test('an account that is checked again gets its digest and its alert only once', async () => {
  await check(server);
  for (let n = 0; n < 3; n += 1) {
    await server.db.pool.query('UPDATE reminder_settings SET next_at = $1', [clock()]);
    await check(server);
  }
  expect(await queued()).toEqual(once);
});

/** Makes the n-th statement within transactions fail without being sent, as if the process had died before it. */
function dieAt(n: number): { restore: () => void; isReached: () => boolean } {
  const { pool } = server.db;
  const { connect } = pool;
  let statements = 0;
  const broken: pg.PoolClient[] = [];
  const wrapped = async (...given: unknown[]) => {
    // A call with a callback comes from `pool.query`, outside of transactions.
    if (given.length > 0) return Reflect.apply(connect, pool, given);
    const client: pg.PoolClient = await Reflect.apply(connect, pool, []);
    const { query } = client;
    const counted = (...args: unknown[]) => {
      statements += 1;
      if (statements === n) {
        broken.push(client);
        return Promise.reject(Object.assign(new Error('died'), { code: 'ECONNRESET' }));
      }
      return Reflect.apply(query, client, args);
    };
    Object.assign(client, { query: counted });
    const { release } = client;
    client.release = (...args: unknown[]) => {
      Object.assign(client, { query, release });
      return Reflect.apply(release, client, args);
    };
    return client;
  };
  Object.assign(pool, { connect: wrapped });
  return {
    restore: () => void Object.assign(pool, { connect }),
    isReached: () => broken.length > 0,
  };
}

test('after an error at any statement of a transaction, the next run notifies once', async () => {
  let points = 0;
  for (let n = 1; ; n += 1) {
    for (const table of ['notices', 'reminder_deliveries', 'mail_outbox', 'reminder_channels']) {
      await server.db.pool.query(`DELETE FROM ${table}`);
    }
    await server.db.pool.query('UPDATE reminder_settings SET next_at = $1, digest_from = NULL', [
      clock(),
    ]);
    const death = dieAt(n);
    let recoveries = 0;
    const db = { ...server.db, recover: () => void recoveries++ };
    const onFailure = (code: string) => expect.fail(code);
    await checkDueAccounts({ db, clock, publicUrl: () => publicUrl, onFailure });
    death.restore();
    if (!death.isReached()) break;
    expect(recoveries).toBe(1);
    expect(await queued()).toEqual({ deliveries: 0, mails: 0 });
    expect(await reminderClaims(server, account.userId)).toEqual([]);
    await check(server);
    expect([n, await queued()]).toEqual([n, once]);
    points += 1;
  }
  // The points are BEGIN, each statement of a check, and COMMIT.
  expect(points).toBeGreaterThan(12);
});

test('after a lost connection the account stays due, and the next run checks it', async () => {
  const before = await nextCheckOf(server, account.userId);
  const { query } = server.db.pool;
  let recoveries = 0;
  const lost = () => Promise.reject(Object.assign(new Error('x'), { code: 'ECONNREFUSED' }));
  server.db.pool.query = lost as typeof query;
  const db = { ...server.db, recover: () => void recoveries++ };
  const failures: string[] = [];
  const run = () =>
    checkDueAccounts({
      db,
      clock,
      publicUrl: () => publicUrl,
      onFailure: (code) => void failures.push(code),
    });
  expect(await run()).toBe(false);
  server.db.pool.query = query;
  expect([recoveries, failures]).toEqual([1, []]);
  expect(await nextCheckOf(server, account.userId)).toBe(before);
  expect(await run()).toBe(true);
  expect(await queued()).toEqual(once);
});
