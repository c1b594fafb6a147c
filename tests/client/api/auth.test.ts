import { expect, test } from 'vitest';
import {
  fetchCurrentUser,
  register,
  requestPasswordReset,
  resetPassword,
  signIn,
  signOut,
} from '#client/api/auth.ts';
import type { Fetch } from '#client/api/send.ts';
import { brokenNetwork, captivePortal, fetchResponding } from '../../support/device/fetch-stub.ts';

const form = { username_or_email: 'rose@garden.org', password: 'secret', rememberMe: true };
const person = { username: 'Rose', email: 'rose@garden.org', password: 'rose-garden' };
const user = { username: 'Rose', email: 'rose@garden.org', is_verified: true };

test('sign-in sends the form without a token and returns the access token', async () => {
  const network = fetchResponding(200, { access_token: 'a.b.c' });
  expect(await signIn(form, network)).toMatchObject({ access_token: 'a.b.c' });
  const [call] = network.calls;
  expect(call?.url).toBe('/auth/login');
  expect(JSON.parse(String(call?.init.body))).toEqual(form);
  expect(new Headers(call?.init.headers).has('authorization')).toBe(false);
});

test.each<[message: string, Fetch]>([
  ['Invalid username/email or password', fetchResponding(401, { message: 'nope' }).fetch],
  [
    'Email not verified. Please check your email for a verification link.',
    fetchResponding(403, { message: 'nope' }).fetch,
  ],
  ['Invalid response from server', fetchResponding(200, { token: 'a.b.c' }).fetch],
  ['Invalid response from server', fetchResponding(200, { access_token: 'not-a-token' }).fetch],
  ['Too many attempts', fetchResponding(429, { message: 'Too many attempts' }).fetch],
  ['Login failed with status 500', fetchResponding(500, captivePortal).fetch],
  ['An unknown error occurred during login', brokenNetwork],
])('a failed sign-in says: %s', async (message, fetch) => {
  await expect(signIn(form, { fetch })).rejects.toMatchObject({ message });
});

test('registration sends the form without a token and accepts any JSON object', async () => {
  const network = fetchResponding(201, {});
  await register(person, network);
  const [call] = network.calls;
  expect(call?.url).toBe('/auth/register');
  expect(JSON.parse(String(call?.init.body))).toEqual(person);
  expect(new Headers(call?.init.headers).has('authorization')).toBe(false);
});

test.each<[message: string, Fetch]>([
  [
    'email: Not valid',
    fetchResponding(422, { detail: [{ loc: ['email'], msg: 'Not valid' }] }).fetch,
  ],
  ['Request failed with status 500', fetchResponding(500, captivePortal).fetch],
  ['An unknown error occurred during registration', fetchResponding(200, captivePortal).fetch],
  ['An unknown error occurred during registration', brokenNetwork],
])('a failed registration says: %s', async (message, fetch) => {
  await expect(register(person, { fetch })).rejects.toMatchObject({ message });
});

test('requests to reset a forgotten password are sent without an access token', async () => {
  const network = fetchResponding(200, { message: 'Done' });
  await requestPasswordReset('rose@garden.org', network);
  await resetPassword({ token: 'from-a-mail', password: 'rose-garden' }, network);
  expect(network.calls.map(({ url, init }) => [url, JSON.parse(String(init.body))])).toEqual([
    ['/auth/forgot-password', { username_or_email: 'rose@garden.org' }],
    ['/auth/reset-password', { token: 'from-a-mail', password: 'rose-garden' }],
  ]);
  for (const { init } of network.calls) {
    expect(new Headers(init.headers).has('authorization')).toBe(false);
  }
});

test.each<[message: string, Fetch]>([
  ['The link has expired', fetchResponding(400, { message: 'The link has expired' }).fetch],
  ['Request failed with status 500', fetchResponding(500, captivePortal).fetch],
  ['An unknown error occurred', fetchResponding(200, captivePortal).fetch],
  ['An unknown error occurred', brokenNetwork],
])('a failed password reset says: %s', async (message, fetch) => {
  await expect(requestPasswordReset('rose@garden.org', { fetch })).rejects.toThrow(message);
  const payload = { token: 'from-a-mail', password: 'rose-garden' };
  await expect(resetPassword(payload, { fetch })).rejects.toThrow(message);
});

test('the current user is requested with the token', async () => {
  const network = fetchResponding(200, user);
  expect(await fetchCurrentUser({ ...network, token: 'a.b.c' })).toEqual(user);
  expect(network.calls[0]?.url).toBe('/auth/me');
  expect(new Headers(network.calls[0]?.init.headers).get('authorization')).toBe('Bearer a.b.c');
});

test('without a token, fetching the current user fails and sends no request', async () => {
  const network = fetchResponding(200, user);
  for (const token of [null, '']) {
    await expect(fetchCurrentUser({ ...network, token })).rejects.toThrow(
      'No authentication token found',
    );
  }
  expect(network.calls).toEqual([]);
});

test('fetching the current user without a valid response fails with the text that the session expired', async () => {
  for (const fetch of [brokenNetwork, fetchResponding(200, captivePortal).fetch]) {
    await expect(fetchCurrentUser({ fetch, token: 'a.b.c' })).rejects.toMatchObject({
      message: 'Session expired. Please login again.',
      status: null,
    });
  }
});

test('sign-out sends the token of the session that ends', async () => {
  const network = fetchResponding(200, { message: 'Signed out' });
  await signOut({ ...network, token: 'a.b.c' });
  expect(network.calls[0]).toMatchObject({ url: '/auth/logout', init: { method: 'POST' } });
  expect(new Headers(network.calls[0]?.init.headers).get('authorization')).toBe('Bearer a.b.c');
});

test('a sign-out without a response fails with its fallback text', async () => {
  for (const fetch of [brokenNetwork, fetchResponding(200, captivePortal).fetch]) {
    await expect(signOut({ fetch, token: 'a.b.c' })).rejects.toMatchObject({
      message: 'An unknown error occurred during logout',
      status: null,
    });
  }
});
