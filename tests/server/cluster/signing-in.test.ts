import { afterAll, beforeAll, expect, test } from 'vitest';
import { addUser, login, openTestServer, type TestServer } from '../../support/server/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

test('64 parallel sign-ins of 64 accounts all succeed', async () => {
  const emails = Array.from({ length: 64 }, (_, n) => `gardener${n}@example.org`);
  for (const email of emails) await addUser(server.db, server.clock, email);
  for (let round = 0; round < 4; round += 1) {
    const tokens = await Promise.all(
      emails.map((email) => login(server.app, email, 'secret-garden')),
    );
    expect(tokens.filter(Boolean)).toHaveLength(64);
  }
  const { rows } = await server.db.pool.query('SELECT count(*)::int AS n FROM sessions');
  expect(rows).toEqual([{ n: 256 }]);
});

test('parallel registrations of one address make one account', async () => {
  const register = () =>
    server.app.inject({
      method: 'POST',
      url: '/auth/register',
      payload: { username: 'Twin', email: 'twin@example.org', password: 'secret-garden' },
    });
  const responses = await Promise.all(Array.from({ length: 16 }, register));
  expect(responses.map(({ statusCode }) => statusCode)).toEqual(Array(16).fill(201));
  const { rows } = await server.db.pool.query(
    "SELECT count(*)::int AS n FROM users WHERE email_key = 'twin@example.org'",
  );
  expect(rows).toEqual([{ n: 1 }]);
});
