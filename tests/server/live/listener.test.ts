import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { deferred } from '../../support/deferred.ts';
import { testClock } from '../../support/server/clock.ts';
import { requestAs } from '../../support/server/request.ts';
import { addPlant, openTestServer, type TestServer } from '../../support/server/server.ts';
import { listen, openedStream, openStream } from './support/live-stream.ts';

let server: TestServer;
let url: string;
beforeAll(async () => {
  server = await openTestServer();
  url = await listen(server.app);
});
afterAll(() => server.close());

async function listeners({ db } = server): Promise<number[]> {
  const { rows } = await db.pool.query<{ pid: number }>(
    `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'SELECT pg_notify%'
       AND query NOT LIKE '%unnest%'`,
  );
  return rows.map(({ pid }) => pid);
}

test('any number of streams share one LISTEN connection', async () => {
  for (let n = 0; n < 5; n += 1) await openedStream(url, await server.addAccount());
  expect(await listeners()).toHaveLength(1);
});

test('a process that may have no streams refuses them and opens no LISTEN connection', async () => {
  const other = await openTestServer(testClock(), { live: { maxStreams: 0 } });
  onTestFinished(() => other.close());
  const response = await requestAs(other, await other.addAccount())('GET', '/api/live');
  expect([response.statusCode, response.headers['retry-after']]).toEqual([503, '60']);
  expect(await listeners(other)).toEqual([]);
});

test('after a lost LISTEN connection every stream gets a change event, and changes are announced again', async () => {
  const account = await server.addAccount();
  const quiet = await openedStream(url, await server.addAccount());
  const stream = await openedStream(url, account);
  const [pid] = await listeners();
  await server.db.pool.query('SELECT pg_terminate_backend($1::int)', [pid]);
  for (const { events } of [quiet, stream]) await expect.poll(events).toEqual(['open', 'change']);
  await addPlant(server, account);
  await expect.poll(stream.events).toEqual(['open', 'change', 'change']);
  expect(await listeners()).not.toEqual([pid]);
});

test('after a lost LISTEN connection the streams of sessions that ended meanwhile end', async () => {
  const account = await server.addAccount();
  const ended = await openedStream(url, account);
  const stays = await openedStream(url, await server.addAccount());
  // Without a message, as if it had been sent while nobody listened.
  await server.db.pool.query('DELETE FROM sessions WHERE user_id = $1', [account.userId]);
  const [pid] = await listeners();
  await server.db.pool.query('SELECT pg_terminate_backend($1::int)', [pid]);
  await ended.ended;
  await expect.poll(stays.events).toEqual(['open', 'change']);
});

test('a stream that is opened while its session ends is ended too', async () => {
  const account = await server.addAccount();
  const first = await openedStream(url, account);
  const { pool } = server.db;
  const { query } = pool;
  const mayOpen = deferred();
  const isRead = new Promise<void>((resolve) => {
    pool.query = (async (...given: [{ name?: string }]) => {
      const result: unknown = await Reflect.apply(query, pool, given);
      if (given[0].name !== 'session-end') return result;
      resolve();
      await mayOpen.promise;
      return result;
    }) as never;
  });
  onTestFinished(() => {
    pool.query = query;
  });
  const opening = openStream(url, account.token);
  await isRead;
  await requestAs(server, account)('POST', '/auth/logout');
  await first.ended;
  mayOpen.resolve();
  const second = await opening;
  expect(second.status).toBe(200);
  await second.ended;
});

test('while the server cannot listen, new streams get a 503, and after a while the open ones end', async () => {
  const account = await server.addAccount();
  const stream = await openedStream(url, account);
  const { options } = server.db.pool;
  const { database } = options;
  options.database = 'no_such_database';
  const [pid] = await listeners();
  await server.db.pool.query('SELECT pg_terminate_backend($1::int)', [pid]);
  await expect.poll(async () => (await openStream(url, account.token)).status).toBe(503);
  await stream.ended;
  options.database = database ?? '';
  await expect
    .poll(async () => (await openStream(url, account.token)).status, { timeout: 20_000 })
    .toBe(200);
});
