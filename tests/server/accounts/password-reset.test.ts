import { afterEach, beforeEach, expect, test } from 'vitest';
import { changeEmail } from '#server/accounts/sign-in-names.ts';
import { transaction } from '#server/database/transaction.ts';
import type { Email } from '#server/mail/email.ts';
import { untilWaiting } from '../../support/database/database-waits.ts';
import { testClock } from '../../support/server/clock.ts';
import { type CountingHasher, countingHasher } from '../../support/server/counting-hasher.ts';
import { follow, person, register, signIn } from '../../support/server/registration.ts';
import { requestAs } from '../../support/server/request.ts';
import {
  addUser,
  cheapHasher,
  login,
  openTestServer,
  type TestServer,
} from '../../support/server/server.ts';

const hourMs = 3_600_000;
const newPassword = 'another-garden';
const resetLink = /^https:\/\/plants\.example\.org\/reset-password\?token=[\w-]{43}$/;
const refusal = {
  code: 'invalid_token',
  message: 'The password reset link is invalid or has expired.',
};

let server: TestServer;
let hasher: CountingHasher;
beforeEach(async () => {
  hasher = countingHasher();
  server = await openTestServer(testClock(), { hasher });
});
afterEach(() => server.close());

function forgot(name: string) {
  return requestAs(server, null)('POST', '/auth/forgot-password', {
    payload: { username_or_email: name },
  });
}

function reset(token: string, password = newPassword) {
  return requestAs(server, null)('POST', '/auth/reset-password', { payload: { token, password } });
}

function tokenOf(mail: Email | undefined): string {
  return new URL(mail?.link ?? '').searchParams.get('token') ?? '';
}

async function resetMailsTo(email: string) {
  const mails = await server.mailsTo(email);
  return mails.filter(({ subject }) => subject === 'Reset your password');
}

/** Requests a reset link and returns its token. */
async function requestLink(email: string): Promise<string> {
  await forgot(email);
  return tokenOf((await resetMailsTo(email)).at(-1));
}

function statusOf(token: string) {
  return requestAs(server, { token })('GET', '/auth/me').then(({ statusCode }) => statusCode);
}

test('after a reset with the emailed link only the new password signs in', async () => {
  const { email, password } = await server.addAccount();
  expect((await forgot(email)).statusCode).toBe(200);
  const [mail, ...others] = await server.mailsTo(email);
  expect(others).toEqual([]);
  expect(mail).toMatchObject({
    subject: 'Reset your password',
    link: expect.stringMatching(resetLink),
  });
  expect(mail?.text).toContain(mail?.link);
  expect(mail?.html).toContain(`<a href="${mail?.link}">Choose a new password</a>`);

  const response = await reset(tokenOf(mail));
  expect(response.statusCode).toBe(200);
  expect(response.json()).toEqual({ message: 'Your password has been reset.' });
  expect((await signIn(server, { email, password })).statusCode).toBe(401);
  expect((await signIn(server, { email, password: newPassword })).statusCode).toBe(200);
});

test('a reset ends all sessions of the account and no others', async () => {
  const { email, password, token } = await server.addAccount();
  const other = await server.addAccount();
  const second = await login(server.app, email, password);
  await reset(await requestLink(email));
  expect([await statusOf(token), await statusOf(second)]).toEqual([401, 401]);
  expect(await statusOf(other.token)).toBe(200);
});

test('after a reset the owner gets an email that says the password was changed', async () => {
  const { email } = await server.addAccount();
  await reset(await requestLink(email));
  const notice = (await server.mailsTo(email)).at(-1);
  expect(notice).toMatchObject({
    subject: 'Your password was changed',
    link: 'https://plants.example.org/forgot-password',
  });
});

test('a link can be requested by username, in upper or lower case, if only one account has that username', async () => {
  const names = { username: 'Rose Gardener' };
  await addUser(server.db, server.clock, 'rose@example.org', names);
  await forgot('  rose GARDENER ');
  expect(await resetMailsTo('rose@example.org')).toHaveLength(1);

  await addUser(server.db, server.clock, 'rose2@example.org', names);
  await forgot('Rose Gardener');
  expect(await resetMailsTo('rose@example.org')).toHaveLength(1);
  expect(await resetMailsTo('rose2@example.org')).toEqual([]);
  await forgot('rose2@example.org');
  expect(await resetMailsTo('rose2@example.org')).toHaveLength(1);
});

test('a reset verifies the email address to which its link was sent', async () => {
  await register(server);
  expect((await reset(await requestLink(person.email))).statusCode).toBe(200);
  expect((await signIn(server, { password: newPassword })).statusCode).toBe(200);
});

test('a verification link still works after a reset', async () => {
  await register(server);
  const [verification] = await server.mailsTo(person.email);
  await reset(await requestLink(person.email));
  expect(await follow(server, verification)).toBe('302 /signin?verified=1');
  expect((await signIn(server, { password: newPassword })).statusCode).toBe(200);
});

test('a reset link works once', async () => {
  const { email } = await server.addAccount();
  const token = await requestLink(email);
  await reset(token);
  const again = await reset(token, 'a-third-garden');
  expect(again.statusCode).toBe(400);
  expect(again.json()).toEqual(refusal);
  expect((await signIn(server, { email, password: newPassword })).statusCode).toBe(200);
});

test('a reset link expires after an hour', async () => {
  const inTime = await server.addAccount();
  const late = await server.addAccount();
  const tokens = [await requestLink(inTime.email), await requestLink(late.email)] as const;
  server.clock.advance(hourMs - 1);
  expect((await reset(tokens[0])).statusCode).toBe(200);
  server.clock.advance(1);
  const response = await reset(tokens[1]);
  expect(response.statusCode).toBe(400);
  expect(response.json()).toEqual(refusal);
});

test('a reset invalidates the other reset links of its account and those of no other account', async () => {
  const { email } = await server.addAccount();
  const other = await server.addAccount();
  const first = await requestLink(email);
  const second = await requestLink(email);
  const others = await requestLink(other.email);
  expect((await reset(first)).statusCode).toBe(200);
  expect((await reset(second)).json()).toEqual(refusal);
  expect((await reset(others)).statusCode).toBe(200);
});

test('a verification link cannot reset, and a reset link cannot verify', async () => {
  await register(server);
  const [verification] = await server.mailsTo(person.email);
  expect((await reset(tokenOf(verification))).json()).toEqual(refusal);
  const token = await requestLink(person.email);
  const verify = await requestAs(server, null)('GET', `/auth/verify-email?token=${token}`);
  expect(verify.headers.location).toBe('/signin?verified=0');
  expect((await reset(token)).statusCode).toBe(200);
});

test('only one of several parallel resets with the same link succeeds', async () => {
  const { email } = await server.addAccount();
  const token = await requestLink(email);
  const tried = Array.from({ length: 8 }, (_, i) => `new-garden-${i}`);
  const responses = await Promise.all(tried.map((password) => reset(token, password)));
  const winner = responses.findIndex(({ statusCode }) => statusCode === 200);
  const losers = responses.filter((_, i) => i !== winner);
  expect(losers.map((response) => response.json())).toEqual(losers.map(() => refusal));
  for (const [i, password] of tried.entries()) {
    const { statusCode } = await signIn(server, { email, password });
    expect([password, statusCode]).toEqual([password, i === winner ? 200 : 401]);
  }
});

test('only one of several parallel resets with different links of one account succeeds', async () => {
  const { email } = await server.addAccount();
  const tokens: string[] = [];
  while (tokens.length < 6) tokens.push(await requestLink(email));
  const responses = await Promise.all(tokens.map((token) => reset(token)));
  expect(responses.map(({ statusCode }) => statusCode).sort()).toEqual([
    200, 400, 400, 400, 400, 400,
  ]);
});

/** Makes the requests wait for the account's row lock in the given order, then releases it. */
async function pileUp(email: string, requests: (() => Promise<{ statusCode: number }>)[]) {
  const gate = await server.db.pool.connect();
  await gate.query('BEGIN');
  const { rows } = await gate.query('SELECT id FROM users WHERE email = $1', [email]);
  await gate.query('SELECT 1 FROM users WHERE id = $1 FOR UPDATE', [rows[0].id]);
  const responses: Promise<{ statusCode: number }>[] = [];
  for (const request of requests) {
    responses.push(request());
    await untilWaiting(server, responses.length);
  }
  await gate.query('COMMIT');
  gate.release();
  return (await Promise.all(responses)).map(({ statusCode }) => statusCode);
}

test('parallel use of different links of one account never deadlocks', async () => {
  const { email } = await server.addAccount();
  const first = await requestLink(email);
  const second = await requestLink(email);
  const statuses = await pileUp(email, [() => reset(first), () => reset(second)]);
  expect(statuses.sort()).toEqual([200, 400]);
});

test('a registration and a reset request that both delete expired links never deadlock', async () => {
  await register(server);
  server.clock.advance(24 * hourMs);
  const statuses = await pileUp(person.email, [() => register(server), () => forgot(person.email)]);
  expect(statuses).toEqual([201, 200]);
});

test('reset links can be requested and used while the same address is registered again in parallel', async () => {
  await register(server);
  const tokens = [await requestLink(person.email), await requestLink(person.email)];
  server.clock.advance(hourMs - 1);
  tokens.push(await requestLink(person.email));
  server.clock.advance(1);
  const responses = await Promise.all([
    ...tokens.map((token) => reset(token)),
    ...Array.from({ length: 5 }, () => forgot(person.email)),
    ...Array.from({ length: 5 }, () => register(server)),
  ]);
  const statuses = responses.map(({ statusCode }) => statusCode);
  expect(statuses).toEqual([400, 400, 200, ...Array(5).fill(200), ...Array(5).fill(201)]);
});

test('a request for a link gets its usual response and no email while the unverified account is removed', async () => {
  const { db, clock } = server;
  const { userId } = await server.addAccount();
  const email = 'unverified@example.org';
  await addUser(db, clock, email, { isVerified: false });
  // Another account changes to the address, which removes the unverified one.
  const { request } = await transaction(db, async (tx) => {
    await changeEmail(tx, userId, email);
    const waiting = forgot(email);
    await untilWaiting(server);
    return { request: waiting };
  });
  const usual = await forgot('nobody@example.org');
  const { statusCode, body } = await request;
  expect([statusCode, body]).toEqual([200, usual.body]);
  expect(await resetMailsTo(email)).toEqual([]);
});

test('a sign-in fails if the password is reset while it is being verified', async () => {
  const { email, password } = await server.addAccount();
  const token = await requestLink(email);
  hasher.verify = async (hashed, tried) => {
    await reset(token);
    return await cheapHasher.verify(hashed, tried);
  };
  const response = await signIn(server, { email, password });
  expect(response.statusCode).toBe(401);
  expect((await server.db.pool.query('SELECT 1 FROM sessions')).rowCount).toBe(0);
});

test('a reset with an invalid link hashes the password once, like one with a valid link', async () => {
  const { email } = await server.addAccount();
  const token = await requestLink(email);
  hasher.calls.length = 0;
  await reset('nobody was sent this');
  expect(hasher.calls).toEqual(['hash']);
  await reset(token);
  expect(hasher.calls).toEqual(['hash', 'hash']);
});

test('the token of a link is not in the database once its email was sent', async () => {
  const { email } = await server.addAccount();
  const token = await requestLink(email);
  const { rows } = await server.db.pool.query(
    'SELECT t::text FROM account_tokens t UNION ALL SELECT m::text FROM mail_outbox m',
  );
  expect(rows).toHaveLength(1);
  expect(JSON.stringify(rows)).not.toContain(token);
});

test.each([
  [{ token: '', password: newPassword }, 'token', 'Invalid or missing reset token'],
  [{ password: newPassword }, 'token', 'Required'],
  [{ token: 'x', password: 'seven77' }, 'password', 'Password must be at least 8 characters long'],
  [{ token: 'a\0b', password: newPassword }, 'token', 'Must not contain U+0000'],
])('a reset with %j is rejected, naming the field', async (payload, field, msg) => {
  const response = await requestAs(server, null)('POST', '/auth/reset-password', { payload });
  expect(response.statusCode).toBe(422);
  expect(response.json()).toMatchObject({
    code: 'invalid',
    detail: [{ loc: ['body', field], msg }],
  });
});
