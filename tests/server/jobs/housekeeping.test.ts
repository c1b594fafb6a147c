import { uuidv7 } from 'uuidv7';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { accountTokens, sessions } from '#server/accounts/schema.ts';
import { deviceTokens } from '#server/devices/schema.ts';
import { idempotencyKeys, rateLimits } from '#server/http/schema.ts';
import {
  createHousekeeping,
  deleteExpired,
  type HousekeepingOptions,
} from '#server/jobs/housekeeping.ts';
import { withFailingQueries } from '../../support/database/failing-queries.ts';
import { oneMachineTest } from '../../support/database/one-machine.ts';
import { requestAs } from '../../support/server/request.ts';
import { openRunningServer } from '../../support/server/running-server.ts';
import {
  type Account,
  addPlant,
  login,
  openTestServer,
  type TestServer,
} from '../../support/server/server.ts';

const dayMs = 86_400_000;
const tables = ['sessions', 'account_tokens', 'rate_limits', 'idempotency_keys'];

let server: TestServer;
let account: Account;
let failures: string[];
beforeEach(async () => {
  server = await openTestServer();
  account = await server.addAccount();
  await server.db.pool.query('DELETE FROM sessions');
  failures = [];
});
afterEach(() => server.close());

function options(changes: Partial<HousekeepingOptions> = {}): HousekeepingOptions {
  const { db, clock } = server;
  return { db, clock, onFailure: (code) => void failures.push(code), ...changes };
}

/** Adds to each table a row that expires `inMs` from now: an idempotency key is created 90 days before that. */
async function addEnding(inMs: number, name: string) {
  const { userId } = account;
  const { orm } = server.db;
  const now = server.clock();
  const end = new Date(now.getTime() + inMs);
  const made = new Date(end.getTime() - 90 * dayMs);
  await orm.insert(sessions).values({ userId, id: uuidv7(), createdAt: now, expiresAt: end });
  await orm
    .insert(accountTokens)
    .values({ userId, tokenHash: name, kind: 'reset', createdAt: now, expiresAt: end });
  await orm.insert(rateLimits).values({ key: name, count: 1, resetsAt: end });
  await orm.insert(idempotencyKeys).values({ userId, key: name, fingerprint: '', createdAt: made });
}

async function counts(): Promise<number[]> {
  const found = tables.map((table) => server.db.pool.query(`SELECT 1 FROM ${table}`));
  return (await Promise.all(found)).map(({ rowCount }) => rowCount ?? -1);
}

test('deletes expired rows, and none a millisecond too early', async () => {
  await addEnding(-1, 'long ago');
  await addEnding(0, 'now');
  await addEnding(1, 'soon');
  await deleteExpired(options());
  expect(await counts()).toEqual([1, 1, 1, 1]);
  server.clock.advance(1);
  await deleteExpired(options());
  expect(await counts()).toEqual([0, 0, 0, 0]);
  expect(failures).toEqual([]);
});

test('never deletes plants, readings or device tokens', async () => {
  const { token } = await server.addAccount();
  const plant = await addPlant(server, { ...account, token });
  await requestAs(server, { token })('POST', '/api/logs', {
    payload: { plant_id: plant.id, soil_humidity: 40 },
  });
  await server.db.orm.insert(deviceTokens).values({
    userId: account.userId,
    id: uuidv7(),
    deviceId: 'd1',
    tokenHash: 'x',
    createdAt: server.clock(),
  });
  server.clock.advance(3_650 * dayMs);
  await deleteExpired(options());
  const { rows } = await server.db.pool.query(
    `SELECT (SELECT count(*)::int FROM users) AS users, (SELECT count(*)::int FROM plants) AS plants,
      (SELECT count(*)::int FROM sensor_logs) AS logs, (SELECT count(*)::int FROM device_tokens) AS devices`,
  );
  expect(rows).toEqual([{ users: 2, plants: 1, logs: 1, devices: 1 }]);
});

test('a repeated request with its idempotency key gets the stored response for 90 days and is executed again after that', async () => {
  const { email, password } = await server.addAccount();
  const create = async () => {
    const payload = { nickname: 'A', plant_name: 'A', species: 'A', watering_frequency: 1 };
    // A new session each time, because none lives for 90 days.
    const token = await login(server.app, email, password);
    return requestAs(server, { token })('POST', '/api/plants', { payload, key: 'op-1' });
  };
  const first = await create();
  server.clock.advance(90 * dayMs - 1);
  await deleteExpired(options());
  expect((await create()).json().id).toBe(first.json().id);
  server.clock.advance(1);
  await deleteExpired(options());
  expect((await create()).json().id).not.toBe(first.json().id);
});

test('deletes many rows in small batches', async () => {
  const now = server.clock();
  const rows = Array.from({ length: 95 }, (_, i) => ({ key: `k${i}`, count: 1, resetsAt: now }));
  await server.db.orm.insert(rateLimits).values(rows);
  const asked = vi.spyOn(server.db.pool, 'query');
  await deleteExpired(options({ batchSize: 10 }));
  const removed = [];
  for (const { value } of asked.mock.results) removed.push((await value).rowCount);
  asked.mockRestore();
  expect(removed).toEqual([0, 0, ...Array(9).fill(10), 5, 0, 0]);
  expect((await counts())[2]).toBe(0);
});

oneMachineTest('finds expired rows by index, without scanning the others', async () => {
  const { userId } = account;
  const { pool } = server.db;
  const rows = `SELECT $1::uuid, n::text, $2::timestamptz, $2::timestamptz + interval '1 day' FROM generate_series(1, 20000) n`;
  const now = server.clock();
  await pool.query(
    `INSERT INTO account_tokens (user_id, token_hash, created_at, expires_at, kind)
      SELECT *, 'verify' FROM (${rows}) AS row`,
    [userId, now],
  );
  await pool.query(
    `INSERT INTO sessions (user_id, id, created_at, expires_at)
      SELECT user_id, gen_random_uuid(), created_at, expires_at FROM account_tokens`,
  );
  await pool.query('ANALYZE sessions, account_tokens');
  const asked = vi.spyOn(pool, 'query');
  await deleteExpired(options());
  const statements = asked.mock.calls.slice(0, 2) as unknown as [text: string, values: unknown[]][];
  asked.mockRestore();
  for (const [text, values] of statements) {
    const plan = JSON.stringify((await pool.query(`EXPLAIN ${text}`, values)).rows);
    expect(plan).toMatch(/Delete on (sessions|account_tokens)/);
    expect(plan).toContain('_end');
    expect(plan).not.toContain('Seq Scan');
  }
});

test('with isDistributed, one run deletes all expired rows of an account, even more than one batch', async () => {
  const { userId } = account;
  const { pool } = server.db;
  const longAgo = new Date(server.clock().getTime() - 91 * dayMs);
  await pool.query(
    `INSERT INTO idempotency_keys (user_id, key, fingerprint, created_at)
      SELECT $1, n::text, '', $2 FROM generate_series(1, 7) n`,
    [userId, longAgo],
  );
  await pool.query(
    `INSERT INTO plant_changes (user_id, plant_id, change, record_change, deleted_at)
      SELECT $1, gen_random_uuid(), n, n, $2 FROM generate_series(1, 7) n`,
    [userId, longAgo],
  );
  await deleteExpired(options({ db: { ...server.db, isDistributed: true }, batchSize: 3 }));
  expect(failures).toEqual([]);
  expect((await counts())[3]).toBe(0);
  expect((await pool.query('SELECT FROM plant_changes')).rowCount).toBe(0);
});

test('parallel runs of housekeeping cause no error and do not wait for a locked row', async () => {
  const now = server.clock();
  const rows = Array.from({ length: 500 }, (_, i) => ({ key: `k${i}`, count: 1, resetsAt: now }));
  await server.db.orm.insert(rateLimits).values(rows);
  const busy = await server.db.pool.connect();
  await busy.query('BEGIN');
  await busy.query("UPDATE rate_limits SET count = 2 WHERE key = 'k7'");
  await Promise.all([1, 2, 3, 4].map(() => deleteExpired(options({ batchSize: 20 }))));
  expect((await counts())[2]).toBe(1);
  await busy.query('COMMIT');
  busy.release();
  expect(failures).toEqual([]);
});

test('runs at the start and then periodically until it is stopped', async () => {
  const housekeeping = createHousekeeping(options({ intervalMs: 5 }));
  await addEnding(0, 'first');
  housekeeping.start();
  await expect.poll(counts).toEqual([0, 0, 0, 0]);
  await addEnding(0, 'second');
  await expect.poll(counts).toEqual([0, 0, 0, 0]);
  await housekeeping.stop();
  await addEnding(0, 'third');
  // Another job with the same interval, which deletes nothing, runs several times meanwhile.
  const clock = vi.fn(() => new Date(0));
  const idle = createHousekeeping(options({ intervalMs: 5, clock }));
  idle.start();
  await expect.poll(() => clock.mock.calls.length).toBeGreaterThan(20);
  await idle.stop();
  expect(await counts()).toEqual([1, 1, 1, 1]);
});

test('stopping does not wait for the next run', async () => {
  const housekeeping = createHousekeeping(options());
  housekeeping.start();
  await housekeeping.stop();
});

test('if rows of one table cannot be deleted, those of the others are', async () => {
  await addEnding(-1, 'long ago');
  const db = withFailingQueries(server.db, (text) => /FROM "?sessions/.test(String(text)));
  await deleteExpired(options({ db }));
  expect(failures).toEqual(['RangeError']);
  expect(await counts()).toEqual([1, 0, 0, 0]);
});

test('recovers from a lost database connection, and reports any other error by its code', async () => {
  const { pool } = server.db;
  const { query } = pool;
  let recoveries = 0;
  const db = { ...server.db, recover: () => void recoveries++ };
  for (const code of ['ECONNREFUSED', '42501']) {
    pool.query = (() => Promise.reject(Object.assign(new Error('x'), { code }))) as typeof query;
    await deleteExpired(options({ db }));
  }
  pool.query = query;
  expect(recoveries).toBe(1);
  expect(failures).toEqual(['42501']);
});

test('a running server deletes expired rows, applies AUTH_RATE_LIMIT, TRUST_PROXY and CORS_ORIGIN, and closes', async () => {
  await addEnding(-10 * 365 * dayMs, 'long ago');
  const { app, close } = await openRunningServer(server, {
    AUTH_RATE_LIMIT: '1',
    TRUST_PROXY: '1',
    CORS_ORIGIN: 'https://plants.example.org',
  });
  await expect.poll(counts).toEqual([0, 0, 0, 0]);

  const signIn = (from: string) =>
    app.inject({
      method: 'POST',
      url: '/auth/login',
      headers: { origin: 'https://plants.example.org', 'x-forwarded-for': from },
      payload: { username_or_email: 'nobody', password: 'wrong' },
    });
  const responses = [];
  for (const from of ['10.0.0.1', '10.0.0.1', '10.0.0.2']) responses.push(await signIn(from));
  expect(responses.map(({ statusCode }) => statusCode)).toEqual([401, 429, 401]);
  expect(responses[1]?.headers['access-control-allow-origin']).toBe('https://plants.example.org');
  await close();
});
