import { createHash, randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { follow, person, register, signIn } from '../../support/server/registration.ts';
import { requestAs } from '../../support/server/request.ts';
import { openTestServer, type TestServer } from '../../support/server/server.ts';

const hourMs = 3_600_000;

let server: TestServer;
beforeEach(async () => {
  server = await openTestServer();
});
afterEach(() => server.close());

test('a verification link works once', async () => {
  await register(server);
  const [mail] = await server.mailsTo(person.email);
  await follow(server, mail);
  expect(await follow(server, mail)).toBe('302 /signin?verified=0');
  expect((await signIn(server)).statusCode).toBe(200);
});

test('only one of two parallel requests with the same link succeeds', async () => {
  await register(server);
  const [mail] = await server.mailsTo(person.email);
  const led = await Promise.all([follow(server, mail), follow(server, mail)]);
  expect(led.sort()).toEqual(['302 /signin?verified=0', '302 /signin?verified=1']);
});

test('a verification link expires after 24 hours', async () => {
  await register(server);
  await register(server, { email: 'other@example.org' });
  const [late] = await server.mailsTo(person.email);
  const [inTime] = await server.mailsTo('other@example.org');
  server.clock.advance(24 * hourMs - 1);
  expect(await follow(server, inTime)).toBe('302 /signin?verified=1');
  server.clock.advance(1);
  expect(await follow(server, late)).toBe('302 /signin?verified=0');
  expect((await signIn(server)).statusCode).toBe(403);
});

test.each([
  '',
  '?token=',
  '?token=nonsense',
  '?token=a&token=b',
  `?token=${'x'.repeat(9_000)}`,
  '?token=%00',
])('an invalid link redirects to the sign-in screen: %j', async (query) => {
  const response = await requestAs(server, null)('GET', `/auth/verify-email${query}`);
  expect(response.statusCode).toBe(302);
  expect(response.headers.location).toBe('/signin?verified=0');
});

test('a HEAD request does not use the link up', async () => {
  await register(server);
  const [mail] = await server.mailsTo(person.email);
  const { pathname, search } = new URL(mail?.link ?? '');
  const look = await requestAs(server, null)('HEAD', pathname + search);
  expect(look.statusCode).toBe(404);
  expect(await follow(server, mail)).toBe('302 /signin?verified=1');
});

test('the token of a link is not in the database once its email was sent', async () => {
  await register(server);
  const [mail] = await server.mailsTo(person.email);
  const token = new URL(mail?.link ?? '').searchParams.get('token') ?? '';
  const { rows } = await server.db.pool.query(
    'SELECT t::text FROM account_tokens t UNION ALL SELECT m::text FROM mail_outbox m',
  );
  expect(rows).toHaveLength(1);
  expect(JSON.stringify(rows)).not.toContain(token);
});

test('a link that version 0.1 sent works once', async () => {
  await register(server);
  const [mail] = await server.mailsTo(person.email);
  const old = randomBytes(32).toString('base64url');
  const hash = createHash('sha256').update(old).digest('base64url');
  await server.db.pool.query('UPDATE account_tokens SET token_hash = $1', [hash]);
  expect(await follow(server, mail)).toBe('302 /signin?verified=0');
  const url = `/auth/verify-email?token=${old}`;
  const responses = [];
  for (let n = 0; n < 2; n += 1) {
    responses.push((await requestAs(server, null)('GET', url)).headers.location);
  }
  expect(responses).toEqual(['/signin?verified=1', '/signin?verified=0']);
});
