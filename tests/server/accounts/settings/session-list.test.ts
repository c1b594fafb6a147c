import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AccountSession } from '#contract/settings/profile.ts';
import { requestAs } from '../../../support/server/request.ts';
import { type Account, openTestServer, type TestServer } from '../../../support/server/server.ts';

const hourMs = 3_600_000;
const firefox = 'Mozilla/5.0 (Windows NT 10.0; rv:145.0) Gecko/20100101 Firefox/145.0';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

/** Signs in with another browser and returns the token. */
async function signInWith(account: Account, userAgent: string): Promise<string> {
  const response = await requestAs(server, null)('POST', '/auth/login', {
    payload: { username_or_email: account.email, password: account.password },
    headers: { 'user-agent': userAgent },
  });
  return response.json().access_token;
}

async function sessionsOf(token: string): Promise<AccountSession[]> {
  return (await requestAs(server, { token })('GET', '/auth/sessions')).json();
}

async function statusOf(token: string) {
  return (await requestAs(server, { token })('GET', '/auth/me')).statusCode;
}

test('the session list has the sessions of the account, newest first, with browser and system', async () => {
  const account = await server.addAccount();
  const start = server.clock().getTime();
  server.clock.advance(hourMs);
  const token = await signInWith(account, firefox);
  expect(await sessionsOf(token)).toEqual([
    {
      id: expect.any(String),
      created_at: new Date(start + hourMs).toISOString(),
      expires_at: new Date(start + 13 * hourMs).toISOString(),
      client: 'Firefox on Windows',
      is_current: true,
    },
    {
      id: expect.any(String),
      created_at: new Date(start).toISOString(),
      expires_at: new Date(start + 30 * 24 * hourMs).toISOString(),
      client: null,
      is_current: false,
    },
  ]);
});

test('expired sessions are not listed', async () => {
  const account = await server.addAccount();
  await signInWith(account, firefox);
  server.clock.advance(12 * hourMs);
  expect(await sessionsOf(account.token)).toMatchObject([{ client: null, is_current: true }]);
});

test('a session can be ended, also the current one', async () => {
  const account = await server.addAccount();
  const token = await signInWith(account, firefox);
  const [current, other] = await sessionsOf(token);
  const request = requestAs(server, { token });
  const ended = await request('DELETE', `/auth/sessions/${other?.id}`);
  expect([ended.statusCode, ended.json()]).toEqual([200, { message: 'Session ended' }]);
  expect([await statusOf(account.token), await statusOf(token)]).toEqual([401, 200]);
  expect((await request('DELETE', `/auth/sessions/${other?.id}`)).statusCode).toBe(404);
  await request('DELETE', `/auth/sessions/${current?.id}`);
  expect(await statusOf(token)).toBe(401);
});

test('ending a session of another account gets a 404 and does not end the session', async () => {
  const [account, stranger] = [await server.addAccount(), await server.addAccount()];
  const [session] = await sessionsOf(account.token);
  const response = await requestAs(server, stranger)('DELETE', `/auth/sessions/${session?.id}`);
  expect([response.statusCode, response.json()]).toEqual([
    404,
    { code: 'not_found', message: 'Session not found' },
  ]);
  expect(await statusOf(account.token)).toBe(200);
});

test.each(['none', '0', '%00'])('the session id %j is a 404', async (id) => {
  const request = requestAs(server, await server.addAccount());
  expect((await request('DELETE', `/auth/sessions/${id}`)).statusCode).toBe(404);
});

test('all other sessions can be ended at once', async () => {
  const account = await server.addAccount();
  const stranger = await server.addAccount();
  const tokens = [await signInWith(account, firefox), await signInWith(account, 'curl/8')];
  const ended = await requestAs(server, account)('DELETE', '/auth/sessions');
  expect(ended.json()).toEqual({ message: 'All other sessions ended' });
  const statuses = [account.token, ...tokens, stranger.token].map(statusOf);
  expect(await Promise.all(statuses)).toEqual([200, 401, 401, 200]);
});
