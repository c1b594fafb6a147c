import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { Hasher } from '#server/accounts/password.ts';
import { testClock } from '../../support/server/clock.ts';
import { requestAs } from '../../support/server/request.ts';
import {
  addUser,
  cheapHasher,
  openTestServer,
  type TestServer,
} from '../../support/server/server.ts';

const password = 'secret-garden';
const refusal = { code: 'unauthorized', message: 'Invalid username/email or password' };

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

function signIn(payload: Record<string, unknown>) {
  return requestAs(server, null)('POST', '/auth/login', { payload });
}

async function whoIs(token: string) {
  return (await requestAs(server, { token })('GET', '/auth/me')).json();
}

function addNamed(email: string, username: string, changes: { isVerified?: boolean } = {}) {
  const names = { username };
  return addUser(server.db, server.clock, email, { ...names, ...changes });
}

test('a login returns a token of three parts, the device key, and nothing else', async () => {
  await addNamed('ada@example.org', 'Ada');
  const response = await signIn({ username_or_email: 'ada@example.org', password });
  expect(response.statusCode).toBe(200);
  expect(response.json()).toEqual({
    access_token: expect.stringMatching(/^[^.]+\.[^.]+\.[^.]+$/),
    device_key: 'ada@example.org',
  });
});

test('email and username are accepted in upper or lower case, and an email with surrounding spaces', async () => {
  await addNamed('bea@example.org', 'Bea Gardener');
  for (const name of ['BEA@Example.ORG', '  bea@example.org  ', 'Bea Gardener', 'bea GARDENER']) {
    const response = await signIn({ username_or_email: name, password });
    expect([name, response.statusCode]).toEqual([name, 200]);
    expect(await whoIs(response.json().access_token)).toEqual({
      username: 'Bea Gardener',
      email: 'bea@example.org',
      is_verified: true,
      time_zone: null,
      device_key: 'bea@example.org',
    });
  }
});

test('a username shared by two accounts cannot sign in, their emails still can', async () => {
  await addNamed('twin1@example.org', 'Twin');
  await addNamed('twin2@example.org', 'Twin');
  const byName = await signIn({ username_or_email: 'Twin', password });
  expect(byName.statusCode).toBe(401);
  expect(byName.json()).toEqual(refusal);
  for (const email of ['twin1@example.org', 'twin2@example.org']) {
    const byEmail = await signIn({ username_or_email: email, password });
    expect(await whoIs(byEmail.json().access_token)).toMatchObject({ email });
  }
});

test('after a failure of hashing, a sign-in to an unknown account gets its usual response', async () => {
  let fails = true;
  const hash: Hasher['hash'] = async (text) => {
    if (fails) throw new Error('out of memory');
    return await cheapHasher.hash(text);
  };
  const other = await openTestServer(testClock(), { hasher: { ...cheapHasher, hash } });
  onTestFinished(() => other.close());
  const payload = { username_or_email: 'nobody@example.org', password };
  const status = async () => {
    return (await requestAs(other, null)('POST', '/auth/login', { payload })).statusCode;
  };
  expect(await status()).toBe(500);
  fails = false;
  expect(await status()).toBe(401);
});

test('unverified accounts cannot block the sign-in by username of a verified account', async () => {
  const addStrangers = async (from: number) => {
    for (const n of [from, from + 1, from + 2]) {
      await addNamed(`stranger${n}@example.org`, 'fay gardener', { isVerified: false });
    }
  };
  await addStrangers(1);
  await addNamed('fay@example.org', 'Fay Gardener');
  await addStrangers(4);
  const byName = await signIn({ username_or_email: 'Fay Gardener', password });
  expect(await whoIs(byName.json().access_token)).toMatchObject({ email: 'fay@example.org' });
  await addNamed('fay2@example.org', 'Fay Gardener');
  expect((await signIn({ username_or_email: 'Fay Gardener', password })).statusCode).toBe(401);
});

test('a username of several unverified accounts gets a 401, that of a single unverified account a 403', async () => {
  await addNamed('gil1@example.org', 'Gil', { isVerified: false });
  expect((await signIn({ username_or_email: 'Gil', password })).statusCode).toBe(403);
  await addNamed('gil2@example.org', 'Gil', { isVerified: false });
  expect((await signIn({ username_or_email: 'Gil', password })).statusCode).toBe(401);
});

test('accounts whose username is the email of another account cannot block the sign-in of that account', async () => {
  for (const thief of ['thief1', 'thief2', 'thief3', 'thief4']) {
    await addNamed(`${thief}@example.org`, 'victim@example.org');
  }
  await addNamed('victim@example.org', 'Victim');
  const response = await signIn({ username_or_email: 'victim@example.org', password });
  expect(response.statusCode).toBe(200);
  expect(await whoIs(response.json().access_token)).toMatchObject({ username: 'Victim' });
});

test('a wrong password and an unknown account get the same response', async () => {
  await addNamed('cleo@example.org', 'Cleo');
  const wrong = await signIn({ username_or_email: 'cleo@example.org', password: 'wrong' });
  const unknown = await signIn({ username_or_email: 'nobody@example.org', password: 'wrong' });
  expect([wrong.statusCode, unknown.statusCode]).toEqual([401, 401]);
  expect(wrong.json()).toEqual(refusal);
  expect(unknown.body).toBe(wrong.body);
});

test('a login verifies a password hash for an unknown account too', async () => {
  const checked: string[] = [];
  const verify = async (hash: string, tried: string) => {
    checked.push(tried);
    return await cheapHasher.verify(hash, tried);
  };
  const counting = await openTestServer(testClock(), { hasher: { ...cheapHasher, verify } });
  const payload = { username_or_email: 'nobody@example.org', password: 'guess' };
  await requestAs(counting, null)('POST', '/auth/login', { payload });
  await counting.close();
  expect(checked).toEqual(['guess']);
});

test('the response to a sign-in to an unverified account says to check the email, but only if the password is right', async () => {
  await addNamed('dora@example.org', 'Dora', { isVerified: false });
  const right = await signIn({ username_or_email: 'dora@example.org', password });
  expect(right.statusCode).toBe(403);
  expect(right.json()).toEqual({
    code: 'not_verified',
    message: 'Email not verified. Please check your email for a verification link.',
  });
  const wrong = await signIn({ username_or_email: 'dora@example.org', password: 'wrong' });
  expect(wrong.statusCode).toBe(401);
  expect(wrong.json()).toEqual(refusal);
});

test.each([
  [{}, ['username_or_email', 'password']],
  [{ username_or_email: ' ', password }, ['username_or_email']],
  [{ username_or_email: 'ada@example.org', password: '' }, ['password']],
  [{ username_or_email: 7, password: ['x'] }, ['username_or_email', 'password']],
  [{ username_or_email: 'ada@example.org', password, rememberMe: 'yes' }, ['rememberMe']],
  [{ username_or_email: 'a\0b', password }, ['username_or_email']],
])('a login with %j is rejected with errors for %j', async (payload, fields) => {
  const response = await signIn(payload);
  expect(response.statusCode).toBe(422);
  const { code, detail } = response.json<{ code: string; detail: { loc: string[] }[] }>();
  expect(code).toBe('invalid');
  expect(detail.map(({ loc }) => loc)).toEqual(fields.map((field) => ['body', field]));
});
