import { afterAll, beforeAll, expect, test } from 'vitest';
import { zoneOfAccount } from '#server/accounts/time-zone.ts';
import { signIn } from '../../../support/server/registration.ts';
import { requestAs } from '../../../support/server/request.ts';
import { addUser, login, openTestServer, type TestServer } from '../../../support/server/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

async function addRosa(email: string, username: string) {
  const userId = await addUser(server.db, server.clock, email, { username });
  const token = await login(server.app, email, 'secret-garden');
  return { userId, email, request: requestAs(server, { token }) };
}

/** The status of a sign-in with this name. */
async function statusOf(name: string) {
  return (await signIn(server, { email: name, password: 'secret-garden' })).statusCode;
}

test('the profile has username, email, is_verified, time_zone and device_key', async () => {
  const { request } = await addRosa('Rosa@example.org', 'Rosa');
  expect((await request('GET', '/auth/me')).json()).toEqual({
    username: 'Rosa',
    email: 'Rosa@example.org',
    is_verified: true,
    time_zone: null,
    device_key: 'Rosa@example.org',
  });
});

test('a change of one field leaves the others as they are', async () => {
  const { request, userId } = await addRosa('zone@example.org', 'Zone');
  const changed = await request('PATCH', '/auth/me', { payload: { time_zone: 'Europe/Paris' } });
  expect(changed.statusCode).toBe(200);
  expect(changed.json()).toMatchObject({ username: 'Zone', time_zone: 'Europe/Paris' });
  await request('PATCH', '/auth/me', { payload: { username: ' Zona ' } });
  await request('PATCH', '/auth/me', { payload: {} });
  const { json } = await request('GET', '/auth/me');
  expect(json()).toMatchObject({ username: 'Zona', time_zone: 'Europe/Paris' });
  expect((await zoneOfAccount(server.db.orm, userId)).name).toBe('Europe/Paris');
  await request('PATCH', '/auth/me', { payload: { time_zone: null } });
  expect((await request('GET', '/auth/me')).json()).toMatchObject({ time_zone: null });
});

test.each([
  [{ username: ' ' }, 'username: Name is required'],
  [{ username: 'x'.repeat(201) }, 'username: Must be at most 200 characters'],
  [{ time_zone: 'Mars/Olympus' }, 'time_zone: This time zone is not known'],
  [{ time_zone: '' }, 'time_zone: This time zone is not known'],
])('%j is rejected', async (payload, message) => {
  const request = requestAs(server, await server.addAccount());
  const response = await request('PATCH', '/auth/me', { payload });
  expect([response.statusCode, response.json().message]).toEqual([422, message]);
});

test('after a change of the name a person can sign in with the new name and not with the old one', async () => {
  const { request, email } = await addRosa('rename@example.org', 'Old name');
  await request('PATCH', '/auth/me', { payload: { username: 'New name' } });
  const statuses = [await statusOf('old name'), await statusOf('new name'), await statusOf(email)];
  expect(statuses).toEqual([401, 200, 200]);
});

test('a person can still sign in with the old spelling of a name after only its case was changed', async () => {
  const { request } = await addRosa('case@example.org', 'same name');
  await request('PATCH', '/auth/me', { payload: { username: 'Same Name' } });
  expect(await statusOf('same name')).toBe(200);
});

test('nobody can sign in with a name that two accounts have', async () => {
  await addRosa('first@example.org', 'Twin');
  const { request } = await addRosa('second@example.org', 'Single');
  await request('PATCH', '/auth/me', { payload: { username: 'twin' } });
  expect(await statusOf('Twin')).toBe(401);
  await request('PATCH', '/auth/me', { payload: { username: 'Single again' } });
  expect(await statusOf('Twin')).toBe(200);
});

test('a device token gets a 403 for profile, email, password and sessions', async () => {
  const request = requestAs(server, await server.addAccount());
  const made = await request('POST', '/api/device-tokens', { payload: { device_id: 'pot-1' } });
  const device = requestAs(server, made.json());
  const id = '01890000-0000-7000-8000-000000000000';
  const payload = { email: 'new@example.org', password: 'x', new_password: 'another-garden' };
  const responses = await Promise.all([
    device('GET', '/auth/me'),
    device('PATCH', '/auth/me', { payload: {} }),
    device('POST', '/auth/email', { payload }),
    device('POST', '/auth/password', { payload }),
    device('GET', '/auth/sessions'),
    device('DELETE', `/auth/sessions/${id}`),
    device('DELETE', '/auth/sessions'),
  ]);
  expect(responses.map(({ statusCode }) => statusCode)).toEqual(responses.map(() => 403));
});
