import { once } from 'node:events';
import net from 'node:net';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { databaseOver, openPool } from '#server/database/database.ts';
import { isConnectionLost } from '#server/database/lost-connections.ts';
import { plantPayload } from '../../support/factories.ts';
import { testClock } from '../../support/server/clock.ts';
import {
  type Account,
  addPlant,
  bearer,
  openTestApp,
  openTestServer,
  type TestServer,
} from '../../support/server/server.ts';

let server: TestServer;
let account: Account;
beforeAll(async () => {
  server = await openTestServer();
  account = await server.addAccount();
});
afterAll(() => server.close());

const plants = () => server.app.inject({ url: '/api/plants', headers: bearer(account) });

/** Runs `work` while every call of pool.query() fails as if PostgreSQL had stopped. */
async function withoutDatabase(work: () => Promise<void>): Promise<void> {
  const { pool } = server.db;
  const { query } = pool;
  pool.query = (() => {
    const refused = new Error('connect ECONNREFUSED /tmp/.s.PGSQL.5432');
    return Promise.reject(Object.assign(refused, { code: 'ECONNREFUSED' }));
  }) as typeof pool.query;
  try {
    await work();
  } finally {
    pool.query = query;
  }
}

test('without a reachable database a request gets a 503 with Retry-After and without detail', async () => {
  await withoutDatabase(async () => {
    for (const response of [await plants(), await server.app.inject({ url: '/healthz' })]) {
      expect(response.statusCode).toBe(503);
      expect(response.headers['retry-after']).toBe('2');
      expect(response.json()).toEqual({
        code: 'unavailable',
        message: 'The database is not reachable',
      });
    }
  });
  expect((await plants()).statusCode).toBe(200);
});

test('broken connections are replaced automatically', async () => {
  await addPlant(server, account);
  await server.db.pool
    .query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()`,
    )
    .catch((error: unknown) => expect(isConnectionLost(error)).toBe(true));
  await expect.poll(async () => (await plants()).statusCode).toBe(200);
  expect((await plants()).json()).toHaveLength(1);
});

test('a write over a connection to a former primary gets a 503, and the next write uses another connection', async () => {
  const { pool } = server.db;
  // The connection that was released last is the next one to be used.
  const client = await pool.connect();
  await client.query('SET default_transaction_read_only = on');
  client.release();
  const write = () => {
    const payload = plantPayload();
    const headers = { ...bearer(account), 'idempotency-key': 'failover' };
    return server.app.inject({ method: 'POST', url: '/api/plants', headers, payload });
  };
  const refused = await write();
  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '2']);
  expect((await write()).statusCode).toBe(201);
});

test('a connection that breaks inside a transaction affects no other request', async () => {
  const { pool } = server.db;
  const client = await pool.connect();
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const ended = new Promise((resolve) => client.once('end', resolve));
  // Without a listener the error would end the process.
  expect(client.listenerCount('error')).toBeGreaterThan(0);
  await client.query('BEGIN');
  await pool.query('SELECT pg_terminate_backend($1::int)', [rows[0]?.pid]);
  await ended;
  await expect(client.query('COMMIT')).rejects.toSatisfy(isConnectionLost);
  client.release(true);
  expect((await plants()).statusCode).toBe(200);
});

test.each([
  [{ code: '57P01' }, true],
  [{ code: '08006' }, true],
  [{ code: '53100' }, true],
  [{ code: '25006' }, true],
  [{ code: 'ENOENT' }, true],
  [{ code: 'EAI_AGAIN' }, true],
  [{ code: 'EHOSTUNREACH' }, true],
  [{ code: '23505' }, false],
  [{ code: '42601' }, false],
  [{}, false],
])('an error with %j is a lost connection: %s', (properties, isLost) => {
  expect(isConnectionLost(Object.assign(new Error('x'), properties))).toBe(isLost);
  const wrapped = new Error('query failed', { cause: Object.assign(new Error('x'), properties) });
  expect(isConnectionLost(wrapped)).toBe(isLost);
});

test('a database that is being closed is not started again', async () => {
  let recoveries = 0;
  const pool = openPool({ ...inject('postgres'), database: 'postgres' });
  const db = databaseOver(pool, { recover: () => void recoveries++ });
  pool.emit('error', new Error('cut off'), undefined as never);
  expect(recoveries).toBe(1);
  await db.close();
  pool.emit('error', new Error('cut off while closing'), undefined as never);
  db.recover();
  expect(recoveries).toBe(1);
});

test('a database that was closed before a query counts as unreachable and is not logged as an error', async () => {
  const lines: string[] = [];
  const db = databaseOver(openPool({ ...inject('postgres'), database: 'postgres' }));
  const logger = { level: 'warn', stream: { write: (line: string) => void lines.push(line) } };
  const app = await openTestApp({ db, clock: testClock(), logger });
  await db.close();
  const login = { username_or_email: 'rosa@example.org', password: 'rose-garden' };
  for (const response of [
    await app.inject({ url: '/healthz' }),
    await app.inject({ method: 'POST', url: '/auth/login', payload: login }),
  ]) {
    expect([response.statusCode, response.json().code]).toEqual([503, 'unavailable']);
  }
  await app.close();
  expect(lines).toEqual([]);
});

test('a database whose host name cannot be resolved counts as unreachable and is not logged as an error', async () => {
  const lines: string[] = [];
  const db = databaseOver(openPool({ ...inject('postgres'), host: 'database.invalid' }));
  const logger = { level: 'warn', stream: { write: (line: string) => void lines.push(line) } };
  const app = await openTestApp({ db, clock: testClock(), logger });
  const response = await app.inject({ url: '/healthz' });
  expect([response.statusCode, response.json().code]).toEqual([503, 'unavailable']);
  await app.close();
  await db.close();
  expect(lines).toEqual([]);
});

test('while all connections are in use a request gets a 503 that says so, no recovery is started, and a job stops', async () => {
  const recover = vi.fn();
  const pool = openPool({ ...inject('postgres'), database: 'postgres', max: 1 });
  const db = databaseOver(pool, { recover });
  const app = await openTestApp({ db, clock: testClock() });
  const connection = await pool.connect();
  // Only now, because it also limits how long a new connection may take.
  pool.options.connectionTimeoutMillis = 20;
  const response = await app.inject({ url: '/healthz' });
  expect([response.statusCode, response.headers['retry-after']]).toEqual([503, '2']);
  expect(response.json().message).toBe('The database is too busy');
  expect(recover).not.toHaveBeenCalled();
  await expect(pool.query('SELECT 1')).rejects.toSatisfy(isConnectionLost);
  connection.release();
  expect((await app.inject({ url: '/healthz' })).statusCode).toBe(200);
  await app.close();
  await db.close();
});

test('an upload that its client aborts starts no recovery of the database', async () => {
  const recover = vi.fn();
  const db = { ...server.db, recover };
  const app = await openTestApp({ db, clock: testClock() });
  const statuses: number[] = [];
  app.addHook('onSend', async (_request, { statusCode }) => void statuses.push(statusCode));
  const url = new URL(await app.listen({ port: 0, host: '127.0.0.1' }));
  const socket = net.connect(Number(url.port), url.hostname).on('error', () => undefined);
  const head = ['POST /auth/login HTTP/1.1', 'Host: sprig', 'Content-Type: application/json'];
  socket.write(`${[...head, 'Content-Length: 100'].join('\r\n')}\r\n\r\n{`);
  await once(app.server, 'request');
  socket.resetAndDestroy();
  await expect.poll(() => statuses).toEqual([400]);
  expect(recover).not.toHaveBeenCalled();
  await app.close();
});
