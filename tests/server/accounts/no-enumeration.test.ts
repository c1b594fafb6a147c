import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Deferred, deferred } from '../../support/deferred.ts';
import { testClock } from '../../support/server/clock.ts';
import { type CountingHasher, countingHasher } from '../../support/server/counting-hasher.ts';
import { person } from '../../support/server/registration.ts';
import { requestAs } from '../../support/server/request.ts';
import { addUser, openTestServer, type TestServer } from '../../support/server/server.ts';

const known = 'known@example.org';
const unverified = 'unverified@example.org';
const unknown = 'unknown@example.org';
const sharedName = 'Twin';
const everybody = [known, unverified, sharedName, unknown];

let server: TestServer;
let hasher: CountingHasher;
let pauses: number[];
let hashingAtPause: string[];
let pauseEnds: Deferred | null;
beforeEach(async () => {
  hasher = countingHasher();
  pauses = [];
  pauseEnds = null;
  const pause = async (ms: number) => {
    pauses.push(ms);
    hashingAtPause = [...hasher.calls];
    await pauseEnds?.promise;
  };
  server = await openTestServer(testClock(), { hasher, pause, authRateLimit: 2 });
  const { db, clock } = server;
  await addUser(db, clock, known);
  await addUser(db, clock, unverified, { isVerified: false });
  for (const email of ['twin1@example.org', 'twin2@example.org']) {
    await addUser(db, clock, email, { username: sharedName });
  }
});
afterEach(() => server.close());

/** The parts of a response that a stranger could compare, without the date, and the password hashing done for it. */
async function seen(path: string, payload: object) {
  hasher.calls.length = 0;
  const response = await requestAs(server, null)('POST', path, { payload });
  const { date, ...headers } = response.headers;
  expect(date).toBeDefined();
  return { status: response.statusCode, headers, body: response.body, hashing: [...hasher.calls] };
}

async function seenByAll(path: string, payloadFor: (name: string) => object, names: string[]) {
  const responses = [];
  for (const name of names) responses.push(await seen(path, payloadFor(name)));
  return responses;
}

const login = (name: string) => ({ username_or_email: name, password: 'wrong' });
const registration = (email: string) => ({ ...person, email });
const forgotten = (name: string) => ({ username_or_email: name });

test.each<[string, (name: string) => object, string[], number, string[]]>([
  ['/auth/login', login, everybody, 401, ['verify']],
  ['/auth/register', registration, [known, unverified, unknown], 201, ['hash', 'verify']],
  ['/auth/forgot-password', forgotten, everybody, 200, []],
])(
  '%s gives the same response for every name, with or without an account',
  async (path, payloadFor, names, status, hashing) => {
    // The first sign-in to an unknown account also computes the hash that no password matches, which must not be counted
    // below.
    await seen('/auth/login', login('somebody'));
    const [first, ...others] = await seenByAll(path, payloadFor, names);
    expect(first).toMatchObject({ status, hashing });
    expect(others).toEqual(names.slice(1).map(() => first));
  },
);

test.each<[string, (name: string) => object, string[]]>([
  ['/auth/login', login, everybody],
  ['/auth/register', registration, [known, unverified, unknown]],
  ['/auth/forgot-password', forgotten, everybody],
])('%s has the same rate limit for existing and unknown names', async (path, payloadFor, names) => {
  await seenByAll(path, payloadFor, names);
  await seenByAll(path, payloadFor, names);
  const [first, ...others] = await seenByAll(path, payloadFor, names);
  expect(first).toMatchObject({ status: 429, hashing: [] });
  expect(others).toEqual(names.slice(1).map(() => first));
});

test('a reset request sends an email to an account, verified or not, and to nobody for an unknown or shared name', async () => {
  await seenByAll('/auth/forgot-password', forgotten, everybody);
  const mailed = [];
  for (const email of [known, unverified, unknown, 'twin1@example.org', 'twin2@example.org']) {
    mailed.push((await server.mailsTo(email)).length);
  }
  expect(mailed).toEqual([1, 1, 0, 0, 0]);
});

test('a reset request by username sends an email to the verified account only', async () => {
  await addUser(server.db, server.clock, 'fay@example.org', { username: 'Fay' });
  for (const email of ['stranger1@example.org', 'stranger2@example.org']) {
    await addUser(server.db, server.clock, email, { username: 'fay', isVerified: false });
  }
  await seen('/auth/forgot-password', forgotten('Fay'));
  expect(await server.mailsTo('fay@example.org')).toHaveLength(1);
  expect(await server.mailsTo('stranger1@example.org')).toEqual([]);
});

test('an account whose username is an email address does not show its owner whether that address has an account', async () => {
  const { db, clock } = server;
  const victim = 'victim@example.org';
  await addUser(db, clock, victim, { passwordHash: await hasher.hash('password of the victim') });
  const thieves = ['thief1@example.org', 'thief2@example.org'] as const;
  await addUser(db, clock, thieves[0], { username: victim });
  await addUser(db, clock, thieves[1], { username: unknown });
  const ownLogin = (name: string) => ({ username_or_email: name, password: 'secret-garden' });
  // Also computes the hash that no password matches, which must not be counted below.
  await seen('/auth/login', login('somebody'));
  const [taken, free] = await seenByAll('/auth/login', ownLogin, [victim, unknown]);
  expect(taken).toMatchObject({ status: 401, hashing: ['verify'] });
  expect(free).toEqual(taken);
  const [reset, freeReset] = await seenByAll('/auth/forgot-password', forgotten, [victim, unknown]);
  expect(reset).toMatchObject({ status: 200 });
  expect(freeReset).toEqual(reset);
  expect(await server.mailsTo(victim)).toHaveLength(1);
  for (const thief of thieves) expect(await server.mailsTo(thief)).toEqual([]);
});

test.each([
  ['/auth/register', 'an account', registration, known, 201, 1],
  ['/auth/register', 'an unverified account', registration, unverified, 201, 1],
  ['/auth/register', 'no account', registration, unknown, 201, 1],
  ['/auth/forgot-password', 'an account', forgotten, known, 200, 1],
  ['/auth/forgot-password', 'no account', forgotten, unknown, 200, 0],
])(
  'the response of %s for %s waits for the end of a pause of 250 ms',
  async (path, _, payloadFor, name, status, mails) => {
    pauseEnds = deferred();
    let isAnswered = false;
    const response = seen(path, payloadFor(name)).then((shown) => {
      isAnswered = true;
      return shown;
    });
    await expect.poll(() => pauses).toEqual([250]);
    await expect.poll(() => server.mailsTo(name)).toHaveLength(mails);
    // Wait as long as several other requests take, so that the response could have arrived.
    for (let i = 0; i < 5; i += 1) await requestAs(server, null)('GET', '/healthz');
    expect(isAnswered).toBe(false);
    pauseEnds.resolve();
    expect((await response).status).toBe(status);
  },
);

test('the pause of a registration begins after its password was hashed and verified', async () => {
  await seen('/auth/register', registration(unknown));
  await seen('/auth/register', registration(known));
  expect(pauses).toEqual([250, 250]);
  expect(hashingAtPause).toEqual(['hash', 'verify']);
});
