import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { normalizeIdentifier } from '#domain/account.ts';
import type { Email } from '#server/mail/email.ts';
import { untilWaiting } from '../../../support/database/database-waits.ts';
import { formOf, tinyJpeg } from '../../../support/photos/jpeg.ts';
import { testClock } from '../../../support/server/clock.ts';
import { countingHasher } from '../../../support/server/counting-hasher.ts';
import { follow, register, signIn } from '../../../support/server/registration.ts';
import { type RequestFunction, requestAs } from '../../../support/server/request.ts';
import {
  type Account,
  addPlant,
  addUser,
  openTestServer,
  type TestServer,
} from '../../../support/server/server.ts';

const hourMs = 3_600_000;
const [before, after] = ['Rosa@example.org', 'Rosa@new.example.org'];
const confirmed = '302 /dashboard/settings?email=confirmed';
const invalid = '302 /dashboard/settings?email=invalid';

let server: TestServer;
let account: Account;
let request: RequestFunction;
beforeEach(async () => {
  server = await openTestServer();
  account = await server.addAccount(before);
  request = requestAs(server, account);
});
afterEach(() => server.close());

function change(email = after, password = account.password) {
  return request('POST', '/auth/email', { payload: { email, password } });
}

async function lastMail(email: string): Promise<Email | undefined> {
  return (await server.mailsTo(email)).at(-1);
}

async function statusOf(email: string) {
  return (await signIn(server, { email, password: account.password })).statusCode;
}

test('the address changes when the link is opened, and not before', async () => {
  const asked = await change();
  expect([asked.statusCode, asked.json()]).toEqual([
    200,
    { message: 'Please open the link that was sent to the new email address.' },
  ]);
  expect(await server.mailsTo(before)).toEqual([]);
  const mail = await lastMail(after);
  expect(mail).toMatchObject({ subject: 'Confirm your new email address' });
  expect(mail?.text).not.toContain(before);
  expect((await request('GET', '/auth/me')).json()).toMatchObject({ email: before });
  expect([await statusOf(before), await statusOf(after)]).toEqual([200, 401]);

  expect(await follow(server, mail)).toBe(confirmed);
  expect((await request('GET', '/auth/me')).json()).toMatchObject({
    email: after,
    username: before,
    device_key: before,
  });
  // The username is still the old address, which would be accepted for signing in.
  await request('PATCH', '/auth/me', { payload: { username: 'Rosa' } });
  expect([await statusOf(before), await statusOf(after), await statusOf('rosa')]).toEqual([
    401, 200, 200,
  ]);
});

test('the old address is notified of the change', async () => {
  await change();
  await follow(server, await lastMail(after));
  const mails = await server.mailsTo(before);
  expect(mails.map(({ subject }) => subject)).toEqual(['Your email address was changed']);
  expect(mails[0]?.text).not.toContain('new.example.org');
});

test('the device_key, from which devices derive the name of their database, stays the first address through several changes', async () => {
  for (const email of [after, 'third@example.org', before]) {
    await change(email);
    expect(await follow(server, await lastMail(email))).toBe(confirmed);
    const { json } = await request('GET', '/auth/me');
    expect(json()).toMatchObject({ email, device_key: before });
  }
});

test('the old address is free for a new account, and the new one is taken', async () => {
  await change();
  await follow(server, await lastMail(after));
  await register(server, { email: before.toLowerCase() });
  await register(server, { email: after });
  const [fresh, taken] = [await lastMail(before.toLowerCase()), await lastMail(after)];
  expect(fresh?.subject).toBe('Verify your email address');
  expect(taken?.subject).toBe('You already have an account');
  const { rows } = await server.db.pool.query('SELECT email_key FROM users ORDER BY 1');
  expect(rows).toEqual([{ email_key: 'rosa@example.org' }, { email_key: 'rosa@new.example.org' }]);
});

test('a change to an address that has an account gets the usual response, and an email tells the owner of that account', async () => {
  await server.addAccount(after);
  const first = await change('free@example.org');
  const second = await change(after.toUpperCase());
  expect([second.statusCode, second.json()]).toEqual([first.statusCode, first.json()]);
  const mail = await lastMail(after);
  expect(mail?.subject).toBe('You already have an account');
  expect(await server.mailsTo(after.toUpperCase())).toEqual([]);
});

test('whether or not the new address has an account, the response comes after the same work and a fixed 250 ms', async () => {
  const pauses: number[] = [];
  const hasher = countingHasher();
  const pause = async (ms: number) => void pauses.push(ms);
  const watched = await openTestServer(testClock(), { hasher, pause });
  const gardener = await watched.addAccount();
  await watched.addAccount(after);
  hasher.calls.length = 0;
  const seen = [];
  for (const email of ['free@example.org', after]) {
    const payload = { email, password: gardener.password };
    const response = await requestAs(watched, gardener)('POST', '/auth/email', { payload });
    const { date, ...headers } = response.headers;
    seen.push({
      status: response.statusCode,
      headers,
      body: response.body,
      work: hasher.calls.splice(0),
    });
  }
  expect(seen[0]).toEqual(seen[1]);
  expect(seen[0]).toMatchObject({ status: 200, work: ['verify'] });
  expect(pauses).toEqual([250, 250]);
  await watched.close();
});

test('an address that was taken meanwhile makes the link invalid', async () => {
  await change();
  const mail = await lastMail(after);
  await addUser(server.db, server.clock, after);
  expect(await follow(server, mail)).toBe(invalid);
  expect((await request('GET', '/auth/me')).json()).toMatchObject({ email: before });
});

test('an address with which somebody has signed up, without verifying it, can be taken over', async () => {
  await register(server, { email: after });
  const [verifying] = await server.mailsTo(after);
  await change();
  expect(await follow(server, await lastMail(after))).toBe(confirmed);
  expect(await statusOf(after)).toBe(200);
  expect(await follow(server, verifying)).toBe('302 /signin?verified=0');
  const { rows } = await server.db.pool.query('SELECT id FROM users');
  expect(rows).toEqual([{ id: account.userId }]);
});

test('the link becomes invalid when another account verifies the address first', async () => {
  await register(server, { email: after });
  const [verifying] = await server.mailsTo(after);
  await change();
  const mail = await lastMail(after);
  expect(await follow(server, verifying)).toBe('302 /signin?verified=1');
  expect(await follow(server, mail)).toBe(invalid);
  expect((await request('GET', '/auth/me')).json()).toMatchObject({ email: before });
});

test('if two accounts confirm the same address at once, only one gets it', async () => {
  const other = await server.addAccount('other@example.org');
  await change();
  await requestAs(server, other)('POST', '/auth/email', {
    payload: { email: after, password: other.password },
  });
  const mails = await server.mailsTo(after);
  const led = await Promise.all(mails.map((mail) => follow(server, mail)));
  expect(led.sort()).toEqual([confirmed, invalid]);
});

test('a link works once, and only one of two parallel requests succeeds', async () => {
  await change();
  const mail = await lastMail(after);
  const led = await Promise.all([follow(server, mail), follow(server, mail)]);
  expect(led.sort()).toEqual([confirmed, invalid]);
  expect(await follow(server, mail)).toBe(invalid);
});

test('a link expires after 24 hours', async () => {
  await change();
  const mail = await lastMail(after);
  server.clock.advance(24 * hourMs);
  expect(await follow(server, mail)).toBe(invalid);
});

test('a later request invalidates the earlier link', async () => {
  await change();
  const first = await lastMail(after);
  await change('third@example.org');
  expect(await follow(server, first)).toBe(invalid);
  expect(await follow(server, await lastMail('third@example.org'))).toBe(confirmed);
});

test('a new password invalidates the link', async () => {
  await change();
  const payload = { password: account.password, new_password: 'another-garden' };
  await request('POST', '/auth/password', { payload });
  expect(await follow(server, await lastMail(after))).toBe(invalid);
});

/** Requests a reset link; resolves to the function that uses it. */
async function requestedReset() {
  const anybody = requestAs(server, null);
  await anybody('POST', '/auth/forgot-password', { payload: { username_or_email: before } });
  const token = new URL((await lastMail(before))?.link ?? '').searchParams.get('token');
  const payload = { token, password: 'other-garden' };
  return async () => (await anybody('POST', '/auth/reset-password', { payload })).statusCode;
}

test('a password reset invalidates the link to a new email address', async () => {
  await change();
  const reset = await requestedReset();
  expect(await reset()).toBe(200);
  expect(await follow(server, await lastMail(after))).toBe(invalid);
});

test('the change invalidates reset links that were sent to the old address', async () => {
  const reset = await requestedReset();
  await change();
  await follow(server, await lastMail(after));
  expect(await reset()).toBe(400);
});

/** Sends a request that waits while the address changes, and is executed after it. */
async function sendDuringChange(send: () => Promise<{ statusCode: number }>): Promise<void> {
  await change();
  const mail = await lastMail(after);
  const gate = await server.db.pool.connect();
  await gate.query('BEGIN');
  await gate.query('SELECT 1 FROM users WHERE id = $1 FOR UPDATE', [account.userId]);
  const changed = follow(server, mail);
  await untilWaiting(server);
  const asked = send();
  await untilWaiting(server, 2);
  await gate.query('COMMIT');
  gate.release();
  expect([await changed, (await asked).statusCode]).toEqual([confirmed, 200]);
}

test('a password reset link that is requested while the address changes is not sent to the old address', async () => {
  const payload = { username_or_email: before };
  await sendDuringChange(() =>
    requestAs(server, null)('POST', '/auth/forgot-password', { payload }),
  );
  const subjects = (await server.mailsTo(before)).map(({ subject }) => subject);
  expect(subjects).toEqual(['Your email address was changed']);
});

test('the email about a password that is changed while the address changes is sent to the new address', async () => {
  const payload = { password: account.password, new_password: 'another-garden' };
  await sendDuringChange(() => request('POST', '/auth/password', { payload }));
  const subjects = async (email: string) =>
    (await server.mailsTo(email)).map(({ subject }) => subject);
  expect(await subjects(before)).toEqual(['Your email address was changed']);
  expect((await subjects(after)).at(-1)).toBe('Your password was changed');
});

test('photos and waterings can be added while the email address is being changed', async () => {
  const { id: plantId } = await addPlant(server, account);
  await change();
  const mail = await lastMail(after);
  const form = await formOf({ full: tinyJpeg({ width: 1600, height: 1200 }), small: tinyJpeg() });
  const query = new URLSearchParams({ plant_id: plantId, taken_at: server.clock().toISOString() });
  const gate = await server.db.pool.connect();
  await gate.query('BEGIN');
  await gate.query('SELECT 1 FROM users WHERE id = $1 FOR NO KEY UPDATE', [account.userId]);
  const changed = follow(server, mail);
  await untilWaiting(server);
  const stored = request('PUT', `/api/photos/${randomUUID()}?${query}`, form);
  await untilWaiting(server, 2);
  const watered = request('POST', `/api/plants/${plantId}/water`, { key: 'op-1' });
  // It need not wait, but may do so for the plant.
  await Promise.race([watered, untilWaiting(server, 3)]);
  await gate.query('COMMIT');
  gate.release();
  const statuses = [(await stored).statusCode, (await watered).statusCode];
  expect([await changed, ...statuses]).toEqual([confirmed, 200, 200]);
});

test('an email address can be changed in case only, and the old spelling still works for signing in', async () => {
  await change('ROSA@example.org');
  expect(await follow(server, await lastMail('ROSA@example.org'))).toBe(confirmed);
  expect((await request('GET', '/auth/me')).json()).toMatchObject({ email: 'ROSA@example.org' });
  expect(await statusOf(before)).toBe(200);
});

test.each([
  ['the wrong password', after, 'wrong', 'The current password is not correct'],
  ['the present address', before, 'secret-garden', 'This is your email address already'],
  ['no address', 'rosa', 'secret-garden', 'email: Please enter a valid email address'],
])(
  'an email change with %s is rejected and sends no email',
  async (_, email, password, message) => {
    const response = await change(email, password);
    expect([response.statusCode, response.json().message]).toEqual([422, message]);
    expect(await server.mailsTo(email)).toEqual([]);
  },
);

test.each(['', '?token=', '?token=nonsense', '?token=a&token=b', '?token=%00'])(
  'an invalid link redirects to the settings: %j',
  async (query) => {
    const response = await requestAs(server, null)('GET', `/auth/confirm-email${query}`);
    expect(`${response.statusCode} ${response.headers.location}`).toBe(invalid);
  },
);

test('a HEAD request does not consume the token of the link', async () => {
  await change();
  const mail = await lastMail(after);
  const { pathname, search } = new URL(mail?.link ?? '');
  expect((await requestAs(server, null)('HEAD', pathname + search)).statusCode).toBe(404);
  expect(await follow(server, mail)).toBe(confirmed);
});

test('wrong passwords are limited, and so are emails to new addresses', async () => {
  const strict = await openTestServer(testClock(), { authRateLimit: 2 });
  const gardener = await strict.addAccount();
  const send = async (email: string, password: string) => {
    const payload = { email, password };
    return (await requestAs(strict, gardener)('POST', '/auth/email', { payload })).statusCode;
  };
  const statuses = [];
  for (const password of ['wrong', gardener.password, 'wrong', 'wrong', gardener.password]) {
    statuses.push(await send('new@example.org', password));
  }
  expect(statuses).toEqual([422, 200, 422, 422, 429]);
  strict.clock.advance(15 * 60_000);
  const sent = [];
  for (let n = 0; n < 3; n += 1) sent.push(await send(`new${n}@example.org`, gardener.password));
  expect(sent).toEqual([200, 200, 429]);
  await strict.close();
});

test('a new account with the former address of another account gets a different device_key', async () => {
  await change();
  await follow(server, await lastMail(after));
  const second = await server.addAccount(before);
  const keys = async (one: Account) => [
    (await requestAs(server, one)('GET', '/auth/me')).json().device_key,
    (await signIn(server, { email: one.email, password: one.password })).json().device_key,
  ];
  const own = await keys({ ...account, email: after });
  const [others] = await keys(second);
  expect(own).toEqual([before, before]);
  expect(await keys(second)).toEqual([others, others]);
  expect(others).not.toBe(before);
  expect(normalizeIdentifier(others)).not.toBe(normalizeIdentifier(before));
});
