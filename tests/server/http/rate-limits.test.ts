import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { testClock } from '../../support/server/clock.ts';
import { type CountingHasher, countingHasher } from '../../support/server/counting-hasher.ts';
import { person } from '../../support/server/registration.ts';
import {
  addUser,
  openTestApp,
  openTestServer,
  type TestServer,
} from '../../support/server/server.ts';

const minuteMs = 60_000;
const email = 'rose@example.org';
const password = 'secret-garden';
const home = '203.0.113.7';
const elsewhere = '203.0.113.8';

let server: TestServer;
let hasher: CountingHasher;
beforeEach(async () => {
  hasher = countingHasher();
  server = await openTestServer(testClock(), { authRateLimit: 3, hasher });
  await addUser(server.db, server.clock, email);
});
afterEach(() => server.close());

interface From {
  app?: TestServer['app'];
  from?: string;
  forwardedFor?: string;
}

function post(
  path: string,
  payload: object,
  { app = server.app, from = home, forwardedFor }: From,
) {
  const headers = forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor };
  return app.inject({ method: 'POST', url: path, payload, headers, remoteAddress: from });
}

function signIn(tried: string, from: From & { name?: string } = {}) {
  const payload = { username_or_email: from.name ?? email, password: tried };
  return post('/auth/login', payload, from);
}

/** The statuses of `count` sign-ins, one after the other. */
async function tries(count: number, tried = 'wrong', from: From & { name?: string } = {}) {
  const statuses: number[] = [];
  while (statuses.length < count) statuses.push((await signIn(tried, from)).statusCode);
  return statuses;
}

test('too many wrong passwords from an IP address block the account for that address, even with the right password', async () => {
  expect(await tries(3)).toEqual([401, 401, 401]);
  hasher.calls.length = 0;
  for (const tried of ['wrong', password]) {
    const response = await signIn(tried);
    expect(response.statusCode).toBe(429);
    expect(response.headers['retry-after']).toBe('900');
    expect(response.json()).toEqual({
      code: 'too_many_requests',
      message: 'Too many attempts. Please try again in 15 minutes.',
    });
  }
  expect(hasher.calls).toEqual([]);
});

test('the block ends 15 minutes after the first wrong password', async () => {
  await tries(1);
  server.clock.advance(10 * minuteMs);
  expect(await tries(3)).toEqual([401, 401, 429]);
  server.clock.advance(5 * minuteMs - 1);
  const last = await signIn(password);
  expect([last.statusCode, last.headers['retry-after']]).toEqual([429, '1']);
  expect(last.json().message).toBe('Too many attempts. Please try again in a minute.');
  server.clock.advance(1);
  expect((await signIn(password)).statusCode).toBe(200);
  expect(await tries(4)).toEqual([401, 401, 401, 429]);
});

test('a block from a time when the clock was ahead ends as soon as the clock is right', async () => {
  server.clock.advance(30 * 24 * 60 * minuteMs);
  await tries(3);
  server.clock.advance(-30 * 24 * 60 * minuteMs);
  expect(await tries(4)).toEqual([401, 401, 401, 429]);
});

test('other addresses and other accounts are not blocked', async () => {
  await addUser(server.db, server.clock, 'other@example.org');
  await tries(4);
  expect((await signIn(password, { from: elsewhere })).statusCode).toBe(200);
  expect((await signIn(password, { name: 'other@example.org' })).statusCode).toBe(200);
  expect((await signIn(password)).statusCode).toBe(429);
});

test('parallel attempts are counted like sequential ones', async () => {
  const responses = await Promise.all(Array.from({ length: 50 }, () => signIn('wrong')));
  const refused = responses.filter(({ statusCode }) => statusCode === 401);
  const limited = responses.filter(({ statusCode }) => statusCode === 429);
  expect([refused.length, limited.length]).toEqual([3, 47]);
  expect(hasher.calls.filter((call) => call === 'verify')).toHaveLength(3);
});

test('an identifier in another case counts as the same account', async () => {
  await tries(1, 'wrong', { name: 'ROSE@example.org' });
  await tries(1, 'wrong', { name: ' Rose@Example.Org ' });
  expect(await tries(2)).toEqual([401, 429]);
});

test('only failed sign-ins count, and a successful one clears them', async () => {
  expect(await tries(40, password)).toEqual(Array(40).fill(200));
  for (let round = 0; round < 3; round += 1) {
    expect(await tries(2)).toEqual([401, 401]);
    expect(await tries(1, password)).toEqual([200]);
  }
});

test('the right password of an unverified account does not count as failed', async () => {
  const name = 'unverified@example.org';
  await addUser(server.db, server.clock, name, { isVerified: false });
  expect(await tries(40, password, { name })).toEqual(Array(40).fill(403));
  expect(await tries(4, 'wrong', { name })).toEqual([401, 401, 401, 429]);
});

test('an IP address that tries many accounts is blocked; other IP addresses are not', async () => {
  for (let i = 0; i < 30; i += 1) {
    expect(await tries(1, 'wrong', { name: `nobody${i}` })).toEqual([401]);
  }
  expect((await signIn(password)).statusCode).toBe(429);
  expect((await signIn(password, { from: elsewhere })).statusCode).toBe(200);
  server.clock.advance(15 * minuteMs);
  expect((await signIn(password)).statusCode).toBe(200);
});

/** A server that allows one wrong password from an address, and so a hundred for a name. */
async function strictApp() {
  const { db, clock } = server;
  const app = await openTestApp({ db, clock, authRateLimit: 1, hasher });
  onTestFinished(() => app.close());
  return app;
}

const addresses = Array.from({ length: 100 }, (_, i) => `198.51.100.${i}`);

test('wrong passwords for one name from very many IP addresses block the name for 15 minutes, whether or not it has an account', async () => {
  const app = await strictApp();
  for (const name of [email, 'nobody@example.org']) {
    for (const from of addresses) {
      expect(await tries(1, 'wrong', { app, from, name })).toEqual([401]);
    }
    hasher.calls.length = 0;
    const response = await signIn(password, { app, name });
    expect([response.statusCode, response.headers['retry-after']]).toEqual([429, '900']);
    expect(hasher.calls).toEqual([]);
  }
  await addUser(server.db, server.clock, 'other@example.org');
  expect(await tries(1, password, { app, name: 'other@example.org' })).toEqual([200]);
  server.clock.advance(15 * minuteMs);
  expect(await tries(1, password, { app })).toEqual([200]);
});

test('a single IP address cannot block a name for others, and right passwords do not count', async () => {
  const app = await strictApp();
  for (let i = 0; i < 150; i += 1) await signIn('wrong', { app, from: elsewhere });
  for (const from of addresses) {
    expect(await tries(1, password, { app, from })).toEqual([200]);
  }
  expect(await tries(1, password, { app })).toEqual([200]);
});

test('attempts beyond the limit of an IP address store nothing for further names', async () => {
  const statuses: number[] = [];
  for (let i = 0; i < 60; i += 1) {
    const payload = { username_or_email: `nobody${i}` };
    statuses.push((await post('/auth/forgot-password', payload, {})).statusCode);
  }
  expect(statuses).toEqual([...Array(30).fill(200), ...Array(30).fill(429)]);
  // One row for each name that was accepted, and one for the IP address.
  expect((await server.db.pool.query('SELECT 1 FROM rate_limits')).rowCount).toBe(31);
});

test('a successful sign-in neither counts for its address nor clears the failed ones of that address', async () => {
  for (let i = 0; i < 29; i += 1) await signIn('wrong', { name: `nobody${i}` });
  expect(await tries(3, password)).toEqual([200, 200, 200]);
  await signIn('wrong', { name: 'nobody29' });
  expect((await signIn(password)).statusCode).toBe(429);
});

test.each([
  ['register', { ...person, email }, 201],
  ['forgot-password', { username_or_email: email }, 200],
  ['reset-password', { token: 'unknown', password: 'another-garden' }, 400],
])('%s has a limit of its own', async (call, payload, status) => {
  await tries(4);
  const request = (from?: string) => post(`/auth/${call}`, payload, { ...(from && { from }) });
  for (let i = 0; i < 3; i += 1) expect((await request()).statusCode).toBe(status);
  hasher.calls.length = 0;
  const response = await request();
  expect([response.statusCode, response.headers['retry-after']]).toEqual([429, '900']);
  expect(hasher.calls).toEqual([]);
  const mails = (await server.mailsTo(email)).length;
  expect(mails).toBe(status === 400 ? 0 : 3);
  expect((await request(elsewhere)).statusCode).toBe(status);
});

test('an invalid request does not count', async () => {
  for (let i = 0; i < 5; i += 1) {
    expect((await post('/auth/login', { username_or_email: email }, {})).statusCode).toBe(422);
  }
  expect(await tries(4)).toEqual([401, 401, 401, 429]);
});

test('two processes on one database count together', async () => {
  const { db, clock } = server;
  const other = await openTestApp({ db, clock, authRateLimit: 3 });
  const apps = [server.app, other, server.app, other, server.app, other];
  const responses = await Promise.all(apps.map((app) => signIn('wrong', { app })));
  expect(responses.map(({ statusCode }) => statusCode).sort()).toEqual([
    401, 401, 401, 429, 429, 429,
  ]);
  expect((await signIn(password, { app: other })).statusCode).toBe(429);
  await other.close();
});

test('without a trusted proxy a forwarding header is ignored', async () => {
  for (let i = 0; i < 3; i += 1) await signIn('wrong', { forwardedFor: `198.51.100.${i}` });
  expect((await signIn(password, { forwardedFor: '198.51.100.9' })).statusCode).toBe(429);
});

test.each<[string, number | string[]]>([
  ['one proxy', 1],
  ['its address', [home]],
])('behind a trusted proxy (%s) only the last forwarded address counts', async (_, trustProxy) => {
  const { db, clock } = server;
  const app = await openTestApp({ db, clock, authRateLimit: 3, trustProxy });
  for (let i = 0; i < 3; i += 1) {
    await signIn('wrong', { app, forwardedFor: `192.0.2.${i}, 198.51.100.1` });
  }
  expect((await signIn(password, { app, forwardedFor: '198.51.100.1' })).statusCode).toBe(429);
  expect((await signIn(password, { app, forwardedFor: '198.51.100.2' })).statusCode).toBe(200);
  await app.close();
});

test.each([(port: number) => `198.51.100.1:${port}`, (port: number) => `[2001:db8::1]:${port}`])(
  'the port that a proxy adds to the address of a client is ignored',
  async (address) => {
    const { db, clock } = server;
    const app = await openTestApp({ db, clock, authRateLimit: 3, trustProxy: 1 });
    for (const port of [50_001, 50_002, 50_003]) {
      await signIn('wrong', { app, forwardedFor: address(port) });
    }
    expect((await signIn(password, { app, forwardedFor: address(50_004) })).statusCode).toBe(429);
    await app.close();
  },
);

test('a forwarding header from an untrusted address is ignored', async () => {
  const { db, clock } = server;
  const app = await openTestApp({ db, clock, authRateLimit: 3, trustProxy: ['10.0.0.1'] });
  for (let i = 0; i < 3; i += 1) await signIn('wrong', { app, forwardedFor: `198.51.100.${i}` });
  expect((await signIn(password, { app, forwardedFor: '198.51.100.9' })).statusCode).toBe(429);
  await app.close();
});

test.each([
  ['2001:db8:1:2::1', '2001:db8:1:2:ffff:ffff:ffff:ffff', true],
  ['2001:db8:1:2::1', '2001:DB8:0001:0002:0:0:0:9', true],
  ['2001:db8:1:2::1', '2001:db8:1:3::1', false],
  ['2001:db8::1', '2001:db8:0:0:8::1', true],
  ['fe80::1%eth0', 'fe80::1%eth1', true],
  ['::ffff:203.0.113.9', '203.0.113.9', true],
  ['::ffff:cb00:7109', '203.0.113.9', true],
  ['::ffff:203.0.113.9', '::ffff:203.0.113.10', false],
  ['203.0.113.9', '203.0.113.10', false],
])('%s and %s count as one address: %s', async (first, second, isOne) => {
  await tries(3, 'wrong', { from: first });
  const response = await signIn(password, { from: second });
  expect(response.statusCode).toBe(isOne ? 429 : 200);
});

test('the counters contain neither identifiers nor addresses', async () => {
  await signIn('wrong');
  const { rows } = await server.db.pool.query('SELECT * FROM rate_limits');
  expect(rows).toHaveLength(3);
  for (const row of rows) {
    expect(row).toEqual({
      key: expect.stringMatching(/^[0-9a-f]{64}$/),
      count: 1,
      resets_at: expect.any(Date),
    });
  }
});

test('a limit of 0 turns counting off', async () => {
  const { db, clock } = server;
  const app = await openTestApp({ db, clock, authRateLimit: 0 });
  expect(await tries(30, 'wrong', { app })).toEqual(Array(30).fill(401));
  expect((await db.pool.query('SELECT 1 FROM rate_limits')).rowCount).toBe(0);
  await app.close();
});
