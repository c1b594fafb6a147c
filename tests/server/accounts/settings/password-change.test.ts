import { afterEach, beforeEach, expect, test } from 'vitest';
import type { NewCalendar } from '#contract/settings/calendar.ts';
import { testClock } from '../../../support/server/clock.ts';
import { signIn } from '../../../support/server/registration.ts';
import { type RequestFunction, requestAs } from '../../../support/server/request.ts';
import {
  type Account,
  addPlant,
  login,
  openTestServer,
  type TestServer,
} from '../../../support/server/server.ts';

let server: TestServer;
let account: Account;
let request: RequestFunction;
beforeEach(async () => {
  server = await openTestServer();
  account = await server.addAccount();
  request = requestAs(server, account);
});
afterEach(() => server.close());

function change(new_password = 'another-garden', password = account.password) {
  return request('POST', '/auth/password', { payload: { password, new_password } });
}

async function statusOf(password: string) {
  return (await signIn(server, { email: account.email, password })).statusCode;
}

test('a person can sign in with the new password and not with the old one', async () => {
  const response = await change();
  expect([response.statusCode, response.json()]).toEqual([
    200,
    { message: 'Your password has been changed.' },
  ]);
  expect([await statusOf('secret-garden'), await statusOf('another-garden')]).toEqual([401, 200]);
});

test('this session stays and all other ones of the account end', async () => {
  const elsewhere = await login(server.app, account.email, account.password, true);
  const stranger = await server.addAccount();
  await change();
  const statuses = [account.token, elsewhere, stranger.token].map(async (token) => {
    return (await requestAs(server, { token })('GET', '/auth/me')).statusCode;
  });
  expect(await Promise.all(statuses)).toEqual([200, 401, 200]);
});

test('after a password change calendar apps and sensors keep working', async () => {
  const calendar = await request('POST', '/api/calendar');
  const { pathname } = new URL(calendar.json<NewCalendar>().url);
  const plant = await addPlant(server, account, { device_id: 'pot-1' });
  const device = await request('POST', '/api/device-tokens', { payload: { device_id: 'pot-1' } });
  await change();
  const payload = { plant_id: plant.id, soil_humidity: 50 };
  const report = await requestAs(server, device.json())('POST', '/api/logs', { payload });
  const feed = await requestAs(server, null)('GET', pathname);
  expect([report.statusCode, feed.statusCode]).toEqual([201, 200]);
});

test('a password change invalidates reset links that were sent before it', async () => {
  const nobody = requestAs(server, null);
  await nobody('POST', '/auth/forgot-password', { payload: { username_or_email: account.email } });
  const [mail] = await server.mailsTo(account.email);
  await change();
  const token = new URL(mail?.link ?? '').searchParams.get('token');
  const payload = { token, password: 'stolen-garden' };
  expect((await nobody('POST', '/auth/reset-password', { payload })).statusCode).toBe(400);
});

test('an email says that every other device was signed out, and what still works', async () => {
  await change();
  const [mail] = await server.mailsTo(account.email);
  expect(mail?.subject).toBe('Your password was changed');
  expect(mail?.text).toContain('every other device was signed out');
  expect(mail?.text).toContain(
    'Devices, calendar addresses and ntfy topics of the account still work',
  );
});

test.each([
  ['the wrong password', 'another-garden', 'wrong', 'The current password is not correct'],
  [
    'a new one that is too short',
    'short',
    'secret-garden',
    'new_password: Password must be at least 8 characters long',
  ],
])(
  'a password change with %s is rejected and changes nothing',
  async (_, next, password, message) => {
    const elsewhere = await login(server.app, account.email, account.password);
    const response = await change(next, password);
    expect([response.statusCode, response.json().message]).toEqual([422, message]);
    expect((await requestAs(server, { token: elsewhere })('GET', '/auth/me')).statusCode).toBe(200);
    expect(await statusOf(account.password)).toBe(200);
    expect(await server.mailsTo(account.email)).toEqual([]);
  },
);

test('one of two simultaneous changes succeeds', async () => {
  const responses = await Promise.all([change('first-garden'), change('second-garden')]);
  expect(responses.map(({ statusCode }) => statusCode).sort()).toEqual([200, 422]);
  const statuses = [await statusOf('first-garden'), await statusOf('second-garden')];
  expect(statuses.sort()).toEqual([200, 401]);
});

test('wrong passwords when changing the email address or the password count toward one limit, which does not affect signing in', async () => {
  const strict = await openTestServer(testClock(), { authRateLimit: 2 });
  const gardener = await strict.addAccount();
  const send = async (url: string, password: string) => {
    const payload = { password, new_password: 'another-garden', email: 'new@example.org' };
    return (await requestAs(strict, gardener)('POST', url, { payload })).statusCode;
  };
  const statuses = [
    await send('/auth/password', 'wrong'),
    await send('/auth/email', 'wrong'),
    await send('/auth/password', gardener.password),
  ];
  expect(statuses).toEqual([422, 422, 429]);
  expect((await signIn(strict, gardener)).statusCode).toBe(200);
  await strict.close();
});
