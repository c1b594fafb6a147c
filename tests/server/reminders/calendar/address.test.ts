import { afterAll, beforeAll, expect, test } from 'vitest';
import type { NewCalendar } from '#contract/settings/calendar.ts';
import { testClock } from '../../../support/server/clock.ts';
import { requestAs } from '../../../support/server/request.ts';
import {
  type Account,
  openTestServer,
  publicUrl,
  type TestServer,
} from '../../../support/server/server.ts';

const unknown = { code: 'not_found', message: 'Calendar not found' };

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

async function makeFeed(account: Account, on = server) {
  const response = await requestAs(on, account)('POST', '/api/calendar');
  return response.json<NewCalendar>().url.replace(publicUrl, '');
}

function read(path: string, on = server) {
  return requestAs(on, null)('GET', path);
}

test('the URL is returned once, and only the hash of its secret is stored', async () => {
  const account = await server.addAccount();
  const request = requestAs(server, account);
  const none = { created_at: null, is_per_plant: false, fetched_at: null };
  expect((await request('GET', '/api/calendar')).json()).toEqual(none);
  const made = await request('POST', '/api/calendar', { key: 'once' });
  expect([made.statusCode, made.headers['cache-control']]).toEqual([201, 'no-store']);
  const { url, ...state } = made.json<NewCalendar>();
  expect(url).toMatch(/^https:\/\/plants\.example\.org\/calendar\/[\w-]{22}_[\w-]{43}\.ics$/);
  expect(state).toEqual({ ...none, created_at: server.clock().toISOString() });
  expect((await request('GET', '/api/calendar')).json()).toEqual(state);
  const [, secret = ''] = /([\w-]{43})\.ics$/.exec(url) ?? [];
  for (const table of ['calendar_feeds', 'idempotency_keys', 'rate_limits']) {
    const { rows } = await server.db.pool.query(`SELECT t::text FROM ${table} t`);
    expect(JSON.stringify(rows)).not.toContain(secret);
  }
});

test('GET /api/calendar returns the hour in which the feed was last requested, and null for a new URL', async () => {
  const account = await server.addAccount();
  const path = await makeFeed(account);
  server.clock.advance(95 * 60_000);
  const hour = `${server.clock().toISOString().slice(0, 13)}:00:00.000Z`;
  await read(path);
  const state = await requestAs(server, account)('GET', '/api/calendar');
  expect(state.json()).toMatchObject({ fetched_at: hour });
  expect(await makeFeed(account)).not.toBe(path);
  expect((await requestAs(server, account)('GET', '/api/calendar')).json()).toMatchObject({
    fetched_at: null,
  });
});

test('a new URL replaces the earlier one, and is_per_plant stays as it was', async () => {
  const account = await server.addAccount();
  const request = requestAs(server, account);
  const first = await makeFeed(account);
  const changed = await request('PATCH', '/api/calendar', { payload: { is_per_plant: true } });
  expect(changed.json()).toMatchObject({ is_per_plant: true });
  const second = await makeFeed(account);
  expect([(await read(first)).statusCode, (await read(second)).statusCode]).toEqual([404, 200]);
  expect((await request('GET', '/api/calendar')).json()).toMatchObject({ is_per_plant: true });
});

test('a revoked URL is unknown, and revoking twice is not an error', async () => {
  const account = await server.addAccount();
  const request = requestAs(server, account);
  const path = await makeFeed(account);
  for (let n = 0; n < 2; n += 1) {
    const response = await request('DELETE', '/api/calendar');
    expect([response.statusCode, response.json()]).toEqual([200, { message: 'Calendar revoked' }]);
  }
  expect((await read(path)).statusCode).toBe(404);
  expect((await request('GET', '/api/calendar')).json()).toMatchObject({ created_at: null });
  const change = await request('PATCH', '/api/calendar', { payload: { is_per_plant: true } });
  expect([change.statusCode, change.json()]).toEqual([404, unknown]);
});

test('every unknown URL gets the same response', async () => {
  const account = await server.addAccount();
  const path = await makeFeed(account);
  const other = await makeFeed(await server.addAccount());
  const accountEnd = '/calendar/'.length + 22;
  const wrong = [
    path.replace(/.{5}\.ics$/, 'AAAAA.ics'),
    other.slice(0, accountEnd) + path.slice(accountEnd),
    path.toLowerCase(),
    '/calendar/x.ics',
    '/calendar/%00.ics',
    `/calendar/${'x'.repeat(9_000)}.ics`,
    '/calendar/.ics.ics',
    '/calendar/AAAAAAAAAAAAAAAAAAAAAA_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA.ics',
  ];
  for (const address of wrong) {
    const response = await read(address);
    expect([address, response.statusCode, response.json()]).toEqual([address, 404, unknown]);
    expect(response.headers['x-robots-tag']).toBe('noindex');
  }
  expect((await read(path)).statusCode).toBe(200);
});

test('the secret of a feed is not a session token, and a session token is not the secret of a feed', async () => {
  const account = await server.addAccount();
  const path = await makeFeed(account);
  const [, token = ''] = /([\w-]+)\.ics$/.exec(path) ?? [];
  expect((await requestAs(server, { token })('GET', '/api/plants')).statusCode).toBe(401);
  const request = requestAs(server, account);
  for (const name of ['x', account.token]) {
    expect((await request('GET', `/calendar/${name}.ics`)).statusCode).toBe(404);
  }
});

test('a device token cannot read or change the settings of the calendar', async () => {
  const request = requestAs(server, await server.addAccount());
  const made = await request('POST', '/api/device-tokens', { payload: { device_id: 'pot-1' } });
  const device = requestAs(server, made.json());
  for (const method of ['GET', 'POST', 'PATCH', 'DELETE'] as const) {
    expect((await device(method, '/api/calendar')).statusCode).toBe(403);
  }
});

test('too many requests for wrong URLs from one IP address get a 429, requests for a valid URL never do', async () => {
  const strict = await openTestServer(testClock(), { authRateLimit: 2 });
  const path = await makeFeed(await strict.addAccount(), strict);
  const statuses = [];
  for (let n = 0; n < 3; n += 1) {
    statuses.push((await read('/calendar/revoked.ics', strict)).statusCode);
  }
  for (let n = 0; n < 19; n += 1) {
    statuses.push((await read(`/calendar/guess${n}.ics`, strict)).statusCode);
  }
  expect(statuses).toEqual([404, 404, 429, ...Array(17).fill(404), 429, 429]);
  for (let n = 0; n < 5; n += 1) expect((await read(path, strict)).statusCode).toBe(200);
  await strict.close();
});
