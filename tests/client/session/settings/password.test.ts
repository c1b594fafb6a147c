import { expect, test } from 'vitest';
import type { Fetch } from '#client/api/send.ts';
import { signIn } from '../support/signed-in-page.ts';

type Requests = string[];

/** A server whose responses to a sign-in have this status and token. */
function server(status: number, access_token: string): { fetch: Fetch; requests: Requests } {
  const requests: Requests = [];
  const fetch: Fetch = async (url, { headers }) => {
    requests.push(`${url} ${new Headers(headers).get('authorization')}`);
    return url === '/auth/login'
      ? Response.json({ access_token }, { status })
      : Response.json({ message: 'Done' });
  };
  return { fetch, requests };
}

test('after a new password this browser has a new token, and the earlier one is ended on the server', async () => {
  const { fetch, requests } = server(200, 'd.e.f');
  const page = await signIn(fetch);
  await page.profile.changePassword('old-garden', 'new-garden');
  expect(page.getSession()).toMatchObject({ status: 'signed-in', token: 'd.e.f' });
  expect(requests).toEqual([
    '/auth/password Bearer a.b.c',
    '/auth/login null',
    '/auth/logout Bearer a.b.c',
  ]);
});

test('if no new token can be got after a new password, the person stays signed in with the earlier one', async () => {
  const { fetch, requests } = server(503, '');
  const page = await signIn(fetch);
  await page.profile.changePassword('old-garden', 'new-garden');
  expect(page.getSession()).toMatchObject({ status: 'signed-in', token: 'a.b.c' });
  expect(requests).toEqual(['/auth/password Bearer a.b.c', '/auth/login null']);
});

test('a person who signs out while a new token is requested stays signed out, and the new token is ended', async () => {
  const { fetch, requests } = server(200, 'd.e.f');
  const page = await signIn(async (url, init) => {
    if (url === '/auth/login') page.closeSession();
    return fetch(url, init);
  });
  await page.profile.changePassword('old-garden', 'new-garden');
  expect(page.getSession()).toMatchObject({ status: 'signed-out', hasSignedOut: true });
  expect(requests.at(-1)).toBe('/auth/logout Bearer d.e.f');
});

test('a new token for the account is not used if another person signs in while it is requested, and is ended', async () => {
  const { fetch, requests } = server(200, 'd.e.f');
  const page = await signIn(async (url, init) => {
    if (url === '/auth/login') {
      page.closeSession();
      const { openSession } = await import('#client/session/session.ts');
      const otto = { username: 'Otto', email: 'otto@garden.org', is_verified: true };
      await openSession('x.y.z', otto);
    }
    return fetch(url, init);
  });
  await page.profile.changePassword('old-garden', 'new-garden');
  expect(page.getSession()).toMatchObject({ token: 'x.y.z', user: { username: 'Otto' } });
  expect(requests.at(-1)).toBe('/auth/logout Bearer d.e.f');
});

test('a change of the name that is made while the new token is requested is sent with the new token', async () => {
  const { fetch, requests } = server(200, 'd.e.f');
  let renamed: Promise<void> | undefined;
  const page = await signIn(async (url, init) => {
    if (url === '/auth/login') renamed = page.profile.changeName('Ann');
    const response = await fetch(url, init);
    const profile = { username: 'Ann', email: 'rosa@garden.org', is_verified: true };
    return url === '/auth/me' ? Response.json(profile) : response;
  });
  await page.profile.changePassword('old-garden', 'new-garden');
  await renamed;
  expect(requests).toEqual([
    '/auth/password Bearer a.b.c',
    '/auth/login null',
    '/auth/logout Bearer a.b.c',
    '/auth/me Bearer d.e.f',
  ]);
  expect(page.getSession()).toMatchObject({ token: 'd.e.f', user: { username: 'Ann' } });
});
