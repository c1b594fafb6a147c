import { afterEach, beforeEach, expect, test } from 'vitest';
import { argon2Hasher } from '#server/accounts/password.ts';
import { runningClock } from '../../support/server/clock.ts';
import { requestAs } from '../../support/server/request.ts';
import { openRunningServer } from '../../support/server/running-server.ts';
import { addUser, openTestServer, type TestServer } from '../../support/server/server.ts';

const email = 'demo@sprig.local';
const published = 'demo-garden';
const publicUrl = { PUBLIC_URL: 'https://plants.example.org' };

let server: TestServer;
beforeEach(async () => {
  server = await openTestServer(runningClock());
});
afterEach(() => server.close());

async function addDemo(password: string): Promise<void> {
  const passwordHash = await argon2Hasher.hash(password);
  await addUser(server.db, server.clock, email, { passwordHash });
}

/** Starts the server with these settings, signs in, and returns the status, the token and the notes for the console. */
async function signInAt(settings: Record<string, string>, password = published, known = '') {
  const { app, notes, close } = await openRunningServer(server, settings);
  const payload = { username_or_email: email, password };
  const response = await requestAs({ app }, null)('POST', '/auth/login', { payload });
  const session = await requestAs({ app }, { token: known })('GET', '/auth/me');
  await close();
  const { access_token: token } = response.json<{ access_token?: string }>();
  const isOpen = session.statusCode === 200;
  return { status: response.statusCode, token, isOpen, notes };
}

test('a public server without the demo closes a demo account that has the published password', async () => {
  await addDemo(published);
  const { token } = await signInAt({});
  const closed = await signInAt(publicUrl, published, token);
  expect(closed).toMatchObject({ status: 401, isOpen: false });
  const note = expect.stringContaining(email);
  expect(closed.notes).toEqual([note]);
  expect((await signInAt(publicUrl)).notes).toEqual([]);
});

test.each([
  ['a local server', {}],
  ['a public server with DEMO=1', { ...publicUrl, DEMO: '1' }],
])('%s leaves the demo account open', async (_, settings) => {
  await addDemo(published);
  const { token } = await signInAt({});
  expect(await signInAt(settings, published, token)).toMatchObject({
    status: 200,
    isOpen: true,
    notes: [],
  });
});

test('a demo account with another password stays open', async () => {
  await addDemo('password of the owner');
  const opened = await signInAt(publicUrl, 'password of the owner');
  expect(opened).toMatchObject({ status: 200, notes: [] });
});
