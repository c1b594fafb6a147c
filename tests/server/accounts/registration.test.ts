import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Hasher } from '#server/accounts/password.ts';
import { testClock } from '../../support/server/clock.ts';
import { follow, person, register, signIn } from '../../support/server/registration.ts';
import { requestAs } from '../../support/server/request.ts';
import {
  addUser,
  cheapHasher,
  openTestServer,
  type TestServer,
} from '../../support/server/server.ts';

const verifyLink = /^https:\/\/plants\.example\.org\/auth\/verify-email\?token=[\w-]{43}$/;

let server: TestServer;
let hashed: string[];
let whileVerifying: () => Promise<void>;
beforeEach(async () => {
  hashed = [];
  whileVerifying = async () => undefined;
  const hash: Hasher['hash'] = async (password) => {
    hashed.push(password);
    return await cheapHasher.hash(password);
  };
  const verify: Hasher['verify'] = async (hash, password) => {
    await whileVerifying();
    return await cheapHasher.verify(hash, password);
  };
  server = await openTestServer(testClock(), { hasher: { hash, verify } });
});
afterEach(() => server.close());

async function accounts() {
  const { rows } = await server.db.pool.query(
    'SELECT email, username, password_hash, is_verified FROM users ORDER BY email',
  );
  return rows;
}

test('a new account can sign in after following the emailed link, and not before', async () => {
  expect((await register(server)).statusCode).toBe(201);

  const early = await signIn(server);
  expect(early.statusCode).toBe(403);
  expect(early.json().message).toBe(
    'Email not verified. Please check your email for a verification link.',
  );

  const [mail, ...others] = await server.mailsTo(person.email);
  expect(others).toEqual([]);
  expect(mail).toMatchObject({
    subject: 'Verify your email address',
    link: expect.stringMatching(verifyLink),
  });
  expect(await follow(server, mail)).toBe('302 /signin?verified=1');

  const { access_token: token } = (await signIn(server)).json();
  expect((await requestAs(server, { token })('GET', '/auth/me')).json()).toEqual({
    username: person.username,
    email: person.email,
    is_verified: true,
    time_zone: null,
    device_key: person.email,
  });
});

test('registering again before verification emails a further link and changes nothing else', async () => {
  await register(server);
  const before = await accounts();
  await register(server, { email: 'ROSA@Example.org', username: 'Rosa' });
  expect(await accounts()).toEqual(before);

  const [first, second] = await server.mailsTo(person.email);
  expect(second?.link).toMatch(verifyLink);
  expect(second?.link).not.toBe(first?.link);
  expect(await follow(server, first)).toBe('302 /signin?verified=1');
  expect((await signIn(server)).statusCode).toBe(200);
});

test.each(['before', 'after'])(
  'if a stranger registers the address %s its owner, the password of the stranger never works',
  async (order) => {
    const stranger = { username: 'Mallory', password: 'known-to-mallory' };
    await register(server, order === 'before' ? stranger : {});
    await register(server, order === 'before' ? {} : stranger);
    await register(server, stranger);

    const [first, ...later] = await server.mailsTo(person.email);
    const choosePassword = {
      subject: 'Verify your email address',
      link: expect.stringMatching(/\/reset-password\?token=[\w-]{43}$/),
    };
    expect(later).toMatchObject([choosePassword, choosePassword]);
    expect(await follow(server, first)).toBe('302 /signin?verified=0');
    const password = 'chosen-by-the-owner';
    const token = new URL(later[1]?.link ?? '').searchParams.get('token');
    const payload = { token, password };
    const chosen = await requestAs(server, null)('POST', '/auth/reset-password', { payload });
    expect(chosen.statusCode).toBe(200);
    expect((await signIn(server, { password: stranger.password })).statusCode).toBe(401);
    expect((await signIn(server, { password })).statusCode).toBe(200);
    // Neither of the two names, because the server does not know whose they are.
    expect(await accounts()).toMatchObject([{ username: person.email }]);
  },
);

test('registering with the address of an account changes nothing and emails its owner', async () => {
  await addUser(server.db, server.clock, 'Owner@Example.org');
  const before = await accounts();
  await register(server, { email: 'owner@example.org' });
  expect(await accounts()).toEqual(before);
  const [mail, ...others] = await server.mailsTo('Owner@Example.org');
  expect(others).toEqual([]);
  expect(mail).toMatchObject({
    subject: 'You already have an account',
    link: 'https://plants.example.org/signin',
  });
  expect(mail?.text).toContain('https://plants.example.org/forgot-password');
  expect(await server.mailsTo('owner@example.org')).toEqual([]);
});

test('response and password hashing are the same whether or not the address has an account', async () => {
  await addUser(server.db, server.clock, 'owner@example.org');
  await addUser(server.db, server.clock, 'unverified@example.org', { isVerified: false });
  // The first one also computes the hash that no password matches.
  await register(server, { email: 'first@example.org' });
  hashed = [];
  const responses = [];
  for (const email of ['owner@example.org', 'unverified@example.org', 'new@example.org']) {
    responses.push(await register(server, { email }));
  }
  expect(hashed).toEqual(responses.map(() => person.password));
  expect(responses.map(({ statusCode }) => statusCode)).toEqual([201, 201, 201]);
  const bodies = responses.map(({ body }) => body);
  expect(new Set(bodies)).toEqual(
    new Set(['{"message":"Please check your email to verify your account."}']),
  );
  const names = responses.map(({ headers }) => Object.keys(headers).sort());
  expect(names[1]).toEqual(names[0]);
  expect(names[2]).toEqual(names[0]);
});

test('parallel registrations of one address make one account and send an email each', async () => {
  const tries = ['rosa@example.org', 'Rosa@example.org', 'ROSA@example.org', 'rosa@Example.ORG'];
  const responses = await Promise.all(tries.map((email) => register(server, { email })));
  expect(responses.map(({ statusCode }) => statusCode)).toEqual([201, 201, 201, 201]);
  const [account, ...others] = await accounts();
  expect(others).toEqual([]);
  const mails = await server.mailsTo(account.email);
  expect(mails).toHaveLength(4);
  expect(await follow(server, mails[0])).toBe('302 /signin?verified=1');
  expect((await signIn(server)).statusCode).toBe(200);
});

test('no database connection is in use while a password is verified', async () => {
  const { pool } = server.db;
  const inUse: number[] = [];
  whileVerifying = async () => {
    inUse.push(pool.totalCount - pool.idleCount);
  };
  await register(server);
  await register(server, { password: 'another-garden' });
  expect(inUse).toEqual([0, 0]);
});

test('if the stored password changes while it is verified, the new one counts', async () => {
  await register(server);
  const changes = ['plain:known-to-mallory', 'plain:another'];
  whileVerifying = async () => {
    const hash = changes.shift();
    if (hash) await server.db.pool.query('UPDATE users SET password_hash = $1', [hash]);
  };
  await register(server);
  const [, mail] = await server.mailsTo(person.email);
  expect(mail?.link).toMatch(/\/reset-password\?token=/);
  expect(await accounts()).toMatchObject([
    { password_hash: expect.not.stringMatching(/another$/) },
  ]);
});

test('two people may have the same name', async () => {
  await register(server);
  await register(server, { email: 'other@example.org' });
  expect((await accounts()).map(({ username }) => username)).toEqual([
    person.username,
    person.username,
  ]);
});

test.each([
  [{ username: ' ' }, 'username', 'Name is required'],
  [{ email: '' }, 'email', 'Email is required'],
  [{ email: 'rosa@example' }, 'email', 'Please enter a valid email address'],
  [{ password: 'seven77' }, 'password', 'Password must be at least 8 characters'],
  [{ password: undefined }, 'password', 'Required'],
  [{ username: 'Ro\0sa' }, 'username', 'Must not contain U+0000'],
])('a registration with %j makes no account and sends no mail', async (change, field, msg) => {
  const response = await register(server, change);
  expect(response.statusCode).toBe(422);
  expect(response.json()).toMatchObject({
    code: 'invalid',
    detail: [{ loc: ['body', field], msg }],
  });
  expect(await accounts()).toEqual([]);
  expect(await server.mailsTo(person.email)).toEqual([]);
});

test('emails do not contain the username that was typed at registration', async () => {
  const username = 'Buy pills at http://pills.example <b>now</b>';
  await register(server, { username });
  await follow(server, (await server.mailsTo(person.email))[0]);
  await register(server, { username });
  for (const mail of await server.mailsTo(person.email)) {
    expect(JSON.stringify(mail)).not.toContain('pills');
  }
});
