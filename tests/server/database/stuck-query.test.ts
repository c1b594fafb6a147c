import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { type Database, databaseOver, openPool } from '#server/database/database.ts';
import type { App } from '#server/http/app-deps.ts';
import { readConfig } from '#server/start/config.ts';
import { openServer } from '#server/start/open-server.ts';
import { reachableDataDir, removeDataDir } from '../../support/database/data-dir.ts';
import { makeTestDatabase } from '../../support/database/database.ts';
import { lockPlant } from '../../support/database/database-waits.ts';
import { openGate, type PostgresGate } from '../../support/database/postgres-gate.ts';
import { plantPayload } from '../../support/factories.ts';
import { runningClock } from '../../support/server/clock.ts';
import { type RequestFunction, requestAs } from '../../support/server/request.ts';
import { addUser, testSecret } from '../../support/server/server.ts';

const dataDir = reachableDataDir();
let isCutOff = false;
let gate: PostgresGate;
let outside: Database;
let app: App;
let request: RequestFunction;
let id: string;

/** A server whose connections to the database can be cut silently. */
beforeAll(async () => {
  const { name, url, drop } = await makeTestDatabase();
  outside = databaseOver(openPool({ connectionString: url }), { close: drop });
  gate = await openGate(inject('postgres'), name, () => isCutOff);
  const settings = { DATABASE_URL: gate.url, JWT_SECRET: testSecret, DATA_DIR: dataDir };
  const config = readConfig({ ...settings, QUERY_TIMEOUT_MS: '1000', AUTH_RATE_LIMIT: '0' });
  ({ app } = await openServer(config, null));
  await addUser(outside, runningClock(), 'rosa@example.org');
  await outside.pool.query(`INSERT INTO sessions (user_id, id, created_at, expires_at)
    SELECT id, id, now(), 'infinity' FROM users`);
  const [user] = (await outside.pool.query<{ id: string }>('SELECT id FROM users')).rows;
  request = requestAs(
    { app },
    { token: app.jwt.sign({ sub: user?.id ?? '', sid: user?.id ?? '' }) },
  );
});
beforeEach(async () => {
  ({ id } = (await request('POST', '/api/plants', { payload: plantPayload() })).json());
});
afterAll(async () => {
  await app.close();
  await gate.tearDown();
  await outside.close();
  await removeDataDir(dataDir);
});

const busy = { code: 'unavailable', message: 'The database is too busy' };
const lost = { code: 'unavailable', message: 'The database is not reachable' };
const water = (key: string) => request('POST', `/api/plants/${id}/water?amount=100`, { key });
const waterings = async () =>
  (await outside.pool.query('SELECT 1 FROM waterings WHERE plant_id = $1', [id])).rowCount;

test('a change that waits too long gets a 503 with Retry-After, and takes effect once when it is repeated', async () => {
  const holder = await outside.pool.connect();
  await holder.query('BEGIN');
  await lockPlant(holder, id);
  const refused = await water('op-1');
  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '2']);
  expect(refused.json()).toEqual(busy);
  expect(await waterings()).toBe(0);
  await holder.query('COMMIT');
  holder.release();
  expect((await water('op-1')).statusCode).toBe(200);
  expect((await water('op-1')).headers['idempotent-replayed']).toBe('true');
  expect(await waterings()).toBe(1);
});

test('if more requests are stuck than there are connections, all get a 503, and later ones work as before', async () => {
  const holder = await outside.pool.connect();
  await holder.query('BEGIN');
  await holder.query('LOCK TABLE plants IN ACCESS EXCLUSIVE MODE');
  const responses = await Promise.all(
    Array.from({ length: 25 }, () => request('GET', '/api/plants')),
  );
  expect(responses.map(({ statusCode }) => statusCode)).toEqual(Array(25).fill(503));
  await holder.query('COMMIT');
  holder.release();
  expect((await request('GET', '/api/plants')).statusCode).toBe(200);
});

test('when the database stops responding, requests get a 503 too, and work again when it responds', async () => {
  // Each of the two requests below needs an open connection: opening one would fail with another message.
  await Promise.all([request('GET', '/api/plants'), request('GET', '/api/plants')]);
  isCutOff = true;
  const stuck = [water('op-2'), request('GET', '/api/plants')];
  await gate.shut;
  for (const response of await Promise.all(stuck)) {
    expect(response.statusCode).toBe(503);
    expect(response.json()).toEqual(lost);
  }
  isCutOff = false;
  gate.open();
  await expect.poll(async () => (await request('GET', '/api/plants')).statusCode).toBe(200);
  expect((await water('op-2')).statusCode).toBe(200);
  expect(await waterings()).toBe(1);
});
