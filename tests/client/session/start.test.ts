import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Fetch } from '#client/api/send.ts';
import { deviceDbName } from '#client/store/device-db-name.ts';
import { defaultZone, timeZoneOf } from '#domain/zone.ts';
import { deferred } from '../../support/deferred.ts';
import { brokenNetwork, captivePortal, fetchResponding } from '../../support/device/fetch-stub.ts';

type SessionModule = typeof import('#client/session/session.ts');

const kept = { username: 'Rosa', email: 'rosa@garden.org', is_verified: true };
const renewed = { ...kept, username: 'Rosa Gardener' };
const tokenKey = 'sprig.token';
const profileKey = 'sprig.profile';

/** A browser's storage, which can be made full. */
function newStorage() {
  const entries = new Map<string, string>();
  return {
    isFull: false,
    getItem: (key: string) => entries.get(key) ?? null,
    removeItem: (key: string) => void entries.delete(key),
    setItem(key: string, value: string) {
      if (this.isFull) throw new DOMException('No room', 'QuotaExceededError');
      entries.set(key, value);
    },
  };
}

let localStorage = newStorage();
let sessionStorage = newStorage();
beforeEach(() => {
  // session.ts stores the session in its module, so each test imports it anew, as a new page does.
  vi.resetModules();
  localStorage = newStorage();
  sessionStorage = newStorage();
  vi.stubGlobal('window', { localStorage, sessionStorage, addEventListener: () => undefined });
});
afterEach(() => vi.unstubAllGlobals());

/** Opens the app with the stored session of an earlier visit; resolves once the profile's response was handled. */
async function start(fetch: Fetch): Promise<SessionModule> {
  vi.stubGlobal('fetch', fetch);
  const page = await import('#client/session/session.ts');
  page.restoreSession('/assets/index-1.js');
  // The page does not have this token, so the call only waits until the start is done.
  await page.handleUnauthorized('another.token.altogether');
  return page;
}

function leaveSession(user: object | null = kept): void {
  localStorage.setItem(tokenKey, 'a.b.c');
  if (user) localStorage.setItem(profileKey, JSON.stringify(user));
}

test.each([
  [500, { detail: 'Oops' }],
  [403, { detail: 'Forbidden' }],
  [404, { detail: 'Not Found' }],
  [401, '<h1>Unauthorized</h1>'],
])(
  "a profile response of %i ends the session with 'Session expired. Please login again.'",
  async (status, body) => {
    leaveSession();
    const { getSession } = await start(fetchResponding(status, body).fetch);
    expect(getSession()).toEqual({
      status: 'signed-out',
      message: 'Session expired. Please login again.',
      hasSignedOut: false,
    });
    expect(localStorage.getItem(tokenKey)).toBeNull();
    expect(localStorage.getItem(profileKey)).toBeNull();
  },
);

test.each([
  ['a 503', fetchResponding(503, { detail: 'Busy' }).fetch],
  ['a 502', fetchResponding(502, '<h1>Bad Gateway</h1>').fetch],
  ['a page of somebody else', fetchResponding(200, captivePortal).fetch],
  ['a page with status 500', fetchResponding(500, '<h1>Oops</h1>').fetch],
  ['no network', brokenNetwork],
])('with %s instead of the profile the person stays signed in', async (_, fetch) => {
  leaveSession();
  const { getSession } = await start(fetch);
  expect(getSession()).toMatchObject({ status: 'signed-in', token: 'a.b.c', user: kept });
  expect(localStorage.getItem(tokenKey)).toBe('a.b.c');
});

test('at the start, the profile is requested with the token of the session, and the received profile is shown and stored', async () => {
  leaveSession();
  const { fetch, calls } = fetchResponding(200, renewed);
  const { getSession } = await start(fetch);
  expect(getSession()).toMatchObject({ status: 'signed-in', user: renewed });
  expect(JSON.parse(localStorage.getItem(profileKey) ?? '')).toEqual(renewed);
  expect(calls.map(({ url }) => url)).toEqual(['/auth/me']);
  expect(new Headers(calls[0]?.init.headers).get('authorization')).toBe('Bearer a.b.c');
});

/** A network that responds to each call with this profile once `respond` is called. */
function lateProfile(profile: object): { fetch: Fetch; respond: () => void } {
  const { promise, resolve } = deferred();
  const { fetch: answered } = fetchResponding(200, profile);
  const fetch: Fetch = async (...call) => {
    await promise;
    return answered(...call);
  };
  return { fetch, respond: resolve };
}

test('a person who signs out before the profile arrives stays signed out', async () => {
  leaveSession();
  const { fetch, respond } = lateProfile(kept);
  vi.stubGlobal('fetch', fetch);
  const { closeSession, getSession, handleUnauthorized, restoreSession } = await import(
    '#client/session/session.ts'
  );
  await restoreSession('/assets/index-1.js');
  closeSession();
  respond();
  await handleUnauthorized('another.token.altogether');
  expect(getSession()).toEqual({ status: 'signed-out', message: null, hasSignedOut: true });
  expect(localStorage.getItem(profileKey)).toBeNull();
});

test('a profile that was requested before a change does not overwrite the changed profile', async () => {
  leaveSession();
  const { fetch, respond } = lateProfile(kept);
  vi.stubGlobal('fetch', fetch);
  const { getSession, handleUnauthorized, applyProfile, restoreSession } = await import(
    '#client/session/session.ts'
  );
  await restoreSession('/assets/index-1.js');
  await applyProfile('a.b.c', renewed);
  respond();
  await handleUnauthorized('another.token.altogether');
  expect(getSession()).toMatchObject({ status: 'signed-in', user: renewed });
  expect(JSON.parse(localStorage.getItem(profileKey) ?? '')).toEqual(renewed);
});

test('a changed profile is stored beside the token of its own session and does not replace the profile of another session', async () => {
  const other = JSON.stringify({ ...kept, username: 'Tom', email: 'tom@garden.org' });
  localStorage.setItem(tokenKey, 'd.e.f');
  localStorage.setItem(profileKey, other);
  sessionStorage.setItem(tokenKey, 'a.b.c');
  const { applyProfile } = await import('#client/session/session.ts');
  await applyProfile('a.b.c', renewed);
  expect(localStorage.getItem(profileKey)).toBe(other);
  expect(JSON.parse(sessionStorage.getItem(profileKey) ?? '')).toEqual(renewed);
});

test.each([
  ['with the profile of the last visit', kept],
  ['without a profile', null],
])('full storage does not end the session at the start, %s', async (_, user) => {
  leaveSession(user);
  localStorage.isFull = true;
  const { getSession } = await start(fetchResponding(200, renewed).fetch);
  expect(getSession()).toMatchObject({ status: 'signed-in', user: renewed });
  expect(localStorage.getItem(tokenKey)).toBe('a.b.c');
});

test.each(['not-a-token', 'a.b', 'a.b.c.d', 'a..c', '', '🌱', '{"token":"a.b"}'])(
  'a malformed token is deleted without a request to the server and without a message: %s',
  async (malformed) => {
    leaveSession();
    localStorage.setItem(tokenKey, malformed);
    const { fetch, calls } = fetchResponding(200, renewed);
    const { getSession } = await start(fetch);
    expect(getSession()).toEqual({ status: 'signed-out', message: null, hasSignedOut: false });
    expect(localStorage.getItem(tokenKey)).toBeNull();
    expect(calls).toEqual([]);
  },
);

const inBerlin = { ...kept, time_zone: 'Europe/Berlin' };

test('the zone of a profile is stored with its offsets', async () => {
  leaveSession();
  const { getSession } = await start(fetchResponding(200, inBerlin).fetch);
  const zone = timeZoneOf('Europe/Berlin');
  expect(getSession()).toMatchObject({ user: inBerlin, zone });
  expect(JSON.parse(localStorage.getItem(profileKey) ?? '')).toEqual({
    ...inBerlin,
    offsets: zone.offsets,
    checkedAt: expect.any(Number),
  });
});

test('a start without a network uses the stored zone and does not call Intl', async () => {
  const { offsets } = timeZoneOf('Europe/Berlin');
  leaveSession({ ...inBerlin, offsets });
  const format = vi.spyOn(Intl, 'DateTimeFormat');
  const { getSession } = await start(brokenNetwork);
  expect(getSession()).toMatchObject({ zone: { name: 'Europe/Berlin', offsets } });
  expect(format).not.toHaveBeenCalled();
  format.mockRestore();
});

test.each([
  ['none', undefined],
  ['an empty list', []],
  ['another shape', [['2015', 3_600_000]]],
])('a stored zone with %s for its offsets is computed again', async (_, offsets) => {
  leaveSession({ ...inBerlin, offsets });
  const { getSession } = await start(brokenNetwork);
  expect(getSession()).toMatchObject({ zone: timeZoneOf('Europe/Berlin') });
});

test('a profile response whose zone is null sets UTC+7, even if the stored profile has another zone', async () => {
  leaveSession(inBerlin);
  const { getSession } = await start(fetchResponding(200, { ...kept, time_zone: null }).fetch);
  expect(getSession()).toMatchObject({ zone: defaultZone });
});

test('after a change of the email address the account keeps its database', async () => {
  leaveSession({ ...kept, device_key: kept.email });
  const moved = { ...kept, email: 'rosa@new.example', device_key: kept.email };
  const page = await start(fetchResponding(200, moved).fetch);
  const session = page.getSession();
  if (session.status !== 'signed-in') throw new Error('Not signed in');
  expect(session.user.email).toBe('rosa@new.example');
  expect(session.db.name).toBe(deviceDbName(kept.email));
});

test('if the profile cannot be loaded, signing in opens the database that the login response names', async () => {
  const bodies = { '/auth/login': { access_token: 'a.b.c', device_key: 'first@garden.org' } };
  const fetch: Fetch = async (url) => {
    const body = new Map(Object.entries(bodies)).get(url);
    return Response.json(body ?? { detail: 'Oops' }, { status: body ? 200 : 500 });
  };
  vi.stubGlobal('fetch', fetch);
  const { signIn } = await import('#client/session/account.ts');
  await signIn({ email: kept.email, password: 'secret-garden', rememberMe: true });
  const { getSession } = await import('#client/session/session.ts');
  const session = getSession();
  if (session.status !== 'signed-in') throw new Error('Not signed in');
  expect(session.db.name).toBe(deviceDbName('first@garden.org'));
});
