import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { untilWaiting } from '../../support/database/database-waits.ts';
import { requestAs } from '../../support/server/request.ts';
import { routesOf } from '../../support/server/routes.ts';
import { login, openTestServer, type TestServer, testSecret } from '../../support/server/server.ts';

const hourMs = 3_600_000;
const refusal = { code: 'unauthorized', message: 'Authentication required' };

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

function statusOf(token: string) {
  return requestAs(server, { token })('GET', '/auth/me').then((response) => response.statusCode);
}

test.each([
  ['12 hours', false, 12 * hourMs],
  ['30 days when remembered', true, 30 * 24 * hourMs],
])('a session lasts %s', async (_, rememberMe, lifeMs) => {
  const { email, password } = await server.addAccount();
  const token = await login(server.app, email, password, rememberMe);
  server.clock.advance(lifeMs - 1);
  expect(await statusOf(token)).toBe(200);
  server.clock.advance(1);
  expect(await statusOf(token)).toBe(401);
});

test.each([
  ['12 hours', false, 12 * hourMs],
  ['30 days when remembered', true, 30 * 24 * hourMs],
])('a token expires with its session, %s after the sign-in', async (_, rememberMe, lifeMs) => {
  const { email, password } = await server.addAccount();
  const { exp } = claimsOf(await login(server.app, email, password, rememberMe));
  expect(exp).toBe((server.clock().getTime() + lifeMs) / 1_000);
});

test('an expired token gets a 401 like any invalid one, even while its session lasts', async () => {
  const { token } = await server.addAccount();
  const exp = server.clock().getTime() / 1_000;
  const expired = forge({ alg: 'HS256' }, { ...claimsOf(token), exp }, testSecret);
  const response = await requestAs(server, { token: expired })('GET', '/auth/me');
  expect([response.statusCode, response.json()]).toEqual([401, refusal]);
});

test('a token without an expiry, as version 0.1 issued it, works until its session ends', async () => {
  const { token } = await server.addAccount();
  const { sub, sid } = claimsOf(token);
  const old = forge({ alg: 'HS256' }, { sub, sid }, testSecret);
  server.clock.advance(30 * 24 * hourMs - 1);
  expect(await statusOf(old)).toBe(200);
  server.clock.advance(1);
  expect(await statusOf(old)).toBe(401);
});

test('a login deletes the expired sessions of its account', async () => {
  const { email, password, userId } = await server.addAccount();
  server.clock.advance(30 * 24 * hourMs);
  await login(server.app, email, password);
  const kept = await server.db.pool.query('SELECT id FROM sessions WHERE user_id = $1', [userId]);
  expect(kept.rowCount).toBe(1);
});

test('a login keeps the newest 50 sessions of its account, and others keep theirs', async () => {
  const other = await server.addAccount();
  const { email, password, token, userId } = await server.addAccount();
  const oldest = claimsOf(token).sid;
  const { pool } = server.db;
  await pool.query(
    `INSERT INTO push_subscriptions (user_id, session_id, endpoint, p256dh, auth, account, created_at)
      VALUES ($1, $2, 'https://push.example.org/1', 'key', 'auth', 'account', $3)`,
    [userId, oldest, server.clock()],
  );
  // 48 further ones, and then one by each login.
  await addSessions(userId, 48);
  server.clock.advance(hourMs);
  await login(server.app, email, password);
  expect(await statusOf(token)).toBe(200);
  await login(server.app, email, password);
  expect(await statusOf(token)).toBe(401);
  const countIn = async (table: string) =>
    (await pool.query(`SELECT FROM ${table} WHERE user_id = $1`, [userId])).rowCount;
  expect(await countIn('sessions')).toBe(50);
  expect(await countIn('push_subscriptions')).toBe(0);
  expect(await statusOf(other.token)).toBe(200);
});

test('after two logins at once an account has 50 sessions', async () => {
  const { email, password, token, userId } = await server.addAccount();
  await addSessions(userId, 49);
  server.clock.advance(hourMs);
  const client = await server.db.pool.connect();
  await client.query('BEGIN');
  const oldest = [userId, claimsOf(token).sid];
  await client.query('SELECT 1 FROM sessions WHERE user_id = $1 AND id = $2 FOR UPDATE', oldest);
  const logins = [login(server.app, email, password), login(server.app, email, password)];
  await untilWaiting(server, 2);
  await client.query('COMMIT');
  client.release();
  const statuses = (await Promise.all(logins)).map(statusOf);
  expect(await Promise.all(statuses)).toEqual([200, 200]);
  const kept = await server.db.pool.query('SELECT id FROM sessions WHERE user_id = $1', [userId]);
  expect(kept.rowCount).toBe(50);
});

/** Adds sessions that are newer than the present ones and are still open in an hour. */
async function addSessions(userId: string, count: number): Promise<void> {
  await server.db.pool.query(
    `INSERT INTO sessions (user_id, id, created_at, expires_at)
      SELECT $1, gen_random_uuid(), $2::timestamptz + n * interval '1 second', $2::timestamptz + interval '1 day'
      FROM generate_series(1, $3::int) AS n`,
    [userId, server.clock(), count],
  );
}

test('signing out ends that session and no other', async () => {
  const { email, password, token: elsewhere } = await server.addAccount();
  const token = await login(server.app, email, password);
  const response = await requestAs(server, { token })('POST', '/auth/logout');
  expect(response.statusCode).toBe(200);
  expect(response.json()).toEqual({ message: 'Signed out' });
  expect(await statusOf(token)).toBe(401);
  expect(await statusOf(elsewhere)).toBe(200);
});

test('signing out twice gets a 401 like any request without a session', async () => {
  const request = requestAs(server, await server.addAccount());
  await request('POST', '/auth/logout', { payload: '' });
  const again = await request('POST', '/auth/logout', { payload: '' });
  expect(again.statusCode).toBe(401);
  expect(again.json()).toEqual(refusal);
});

test('the current user has username, email, is_verified, time zone and device key', async () => {
  const account = await server.addAccount('Who@Example.org');
  const response = await requestAs(server, account)('GET', '/auth/me');
  expect(response.statusCode).toBe(200);
  expect(response.json()).toEqual({
    username: 'Who@Example.org',
    email: 'Who@Example.org',
    is_verified: true,
    time_zone: null,
    device_key: 'Who@Example.org',
  });
});

const publicRoutes = [
  'GET /healthz',
  'HEAD /healthz',
  'GET /api/openapi.json',
  'HEAD /api/openapi.json',
  'GET /api/reminders/unsubscribe',
  'HEAD /api/reminders/unsubscribe',
  'POST /api/reminders/unsubscribe',
  'POST /auth/login',
  'POST /auth/register',
  'POST /auth/reset-password',
  'GET /auth/verify-email',
  'POST /auth/forgot-password',
  'GET /auth/confirm-email',
  'GET /calendar/:secret.ics',
  'HEAD /calendar/:secret.ics',
];

test('every route except the public ones rejects a request without a token', async () => {
  const request = requestAs(server, null);
  const open: string[] = [];
  for (const { method, url } of routesOf(server.app)) {
    const path = url.replace(/:\w+/g, '01890000-0000-7000-8000-000000000000');
    const hasBody = method !== 'GET' && method !== 'HEAD' && method !== 'DELETE';
    const response = await request(method, path, hasBody ? { payload: '{ not even JSON' } : {});
    if (response.statusCode !== 401) open.push(`${method} ${url}`);
    else if (method !== 'HEAD') expect(response.json(), url).toEqual(refusal);
  }
  expect(open).toEqual(publicRoutes);
});

test('rejects a correctly signed token without a session', async () => {
  const { userId } = await server.addAccount();
  const token = forge({ alg: 'HS256' }, { sub: userId, sid: userId }, testSecret);
  expect(await statusOf(token)).toBe(401);
});

test('rejects a token that was not signed by this server', async () => {
  const { token } = await server.addAccount();
  const [head = '', claims = '', signature = ''] = token.split('.');
  const session = claimsOf(token);
  const flipped = signature.startsWith('A') ? 'B' : 'A';
  const forgeries = {
    none: forge({ alg: 'none' }, session, null),
    'none, signed': `${forge({ alg: 'none' }, session, null)}${signature}`,
    'another secret': forge({ alg: 'HS256' }, session, 'another secret of the same length....'),
    'another algorithm': forge({ alg: 'HS512' }, session, testSecret, 'sha512'),
    'no signature': `${head}.${claims}.`,
    'a changed signature': `${head}.${claims}.${flipped}${signature.slice(1)}`,
    'two parts': `${head}.${claims}`,
    'no parts': 'token',
    nothing: '',
    'a very long text': 'x'.repeat(8_000),
  };
  expect(await statusOf(token)).toBe(200);
  for (const [name, forgery] of Object.entries(forgeries)) {
    const response = await requestAs(server, { token: forgery })('GET', '/auth/me');
    expect([name, response.statusCode, response.json()]).toEqual([name, 401, refusal]);
  }
});

test.each(['Basic dTpw', 'Bearer', 'bearer a b c', ''])(
  'the Authorization header %j is rejected like a missing token',
  async (authorization) => {
    const response = await requestAs(server, null)('GET', '/api/plants', {
      headers: { authorization },
    });
    expect(response.statusCode).toBe(401);
    expect(response.json()).toEqual(refusal);
  },
);

function claimsOf(token: string): { sub: string; sid: string; exp?: number } {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
}

/** A token with the given header and claims; unsigned if `secret` is null. */
function forge(header: object, claims: object, secret: string | null, hash = 'sha256'): string {
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
  const signed = `${encode({ typ: 'JWT', ...header })}.${encode(claims)}`;
  return `${signed}.${secret === null ? '' : createHmac(hash, secret).update(signed).digest('base64url')}`;
}
