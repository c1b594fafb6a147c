import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Fetch } from '#client/api/send.ts';
import { refreshProfileOnReturn, reloadAfterSessionChange } from '#client/boot/background-work.ts';
import { closeSession, getSession, openSession } from '#client/session/session.ts';
import { brokenNetwork, fetchResponding } from '../../support/device/fetch-stub.ts';

const rosa = { username: 'Rosa', email: 'rosa@garden.org', is_verified: true };
const inTokyo = { ...rosa, time_zone: 'Asia/Tokyo' };
const intervalMs = 300_000;
const noStorage = { getItem: () => null, setItem: () => undefined, removeItem: () => undefined };

let page: EventTarget & { visibilityState: string };
let browserWindow: EventTarget;
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  page = Object.assign(new EventTarget(), { visibilityState: 'visible' });
  const storages = { localStorage: noStorage, sessionStorage: noStorage };
  browserWindow = Object.assign(new EventTarget(), storages);
  vi.stubGlobal('document', page);
  vi.stubGlobal('window', browserWindow);
  vi.stubGlobal('navigator', { onLine: true });
  closeSession();
  await openSession('a.b.c', rosa);
  refreshProfileOnReturn();
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const returnToPage = () => page.dispatchEvent(new Event('visibilitychange'));

/** Time passes, in milliseconds. */
function pass(ms: number): void {
  vi.setSystemTime(Date.now() + ms);
}

function zoneName() {
  const session = getSession();
  return session.status === 'signed-in' ? session.zone.name : 'signed out';
}

/** The server sends this response to each request. Returns the requests. */
function respondWith(status: number, body: unknown) {
  const { fetch, calls } = fetchResponding(status, body);
  vi.stubGlobal('fetch', fetch);
  return calls;
}

test.each(['visible', 'online'])(
  'a time zone that was set on another device is used when the page is %s again',
  async (event) => {
    const calls = respondWith(200, inTokyo);
    pass(intervalMs);
    if (event === 'visible') returnToPage();
    else browserWindow.dispatchEvent(new Event('online'));
    await expect.poll(zoneName).toBe('Asia/Tokyo');
    expect(calls.map(({ url }) => url)).toEqual(['/auth/me']);
  },
);

test('the profile is requested at most every five minutes, also after the clock was set back', () => {
  const calls = respondWith(200, inTokyo);
  const requestsAfter = (ms: number) => {
    pass(ms);
    returnToPage();
    return calls.length;
  };
  expect(requestsAfter(intervalMs - 1)).toBe(0);
  expect(requestsAfter(1)).toBe(1);
  expect(requestsAfter(intervalMs - 1)).toBe(1);
  expect(requestsAfter(1)).toBe(2);
  expect(requestsAfter(-86_400_000)).toBe(3);
  expect(requestsAfter(1)).toBe(3);
});

test('a page that becomes hidden, or has no network, does not request the profile', () => {
  const calls = respondWith(200, inTokyo);
  pass(intervalMs);
  page.visibilityState = 'hidden';
  returnToPage();
  page.visibilityState = 'visible';
  vi.stubGlobal('navigator', { onLine: false });
  returnToPage();
  expect(calls).toEqual([]);
  vi.stubGlobal('navigator', { onLine: true });
  returnToPage();
  expect(calls).toHaveLength(1);
});

test.each([
  ['signed out', async () => void closeSession(), 'signed out'],
  [
    'changed the zone',
    () => openSession('a.b.c', { ...rosa, time_zone: 'Europe/Berlin' }),
    'Europe/Berlin',
  ],
])('a profile that arrives after the person has %s is ignored', async (_, act, expected) => {
  let respond = (): void => undefined;
  const held = new Promise<void>((resolve) => (respond = resolve));
  const { fetch } = fetchResponding(200, inTokyo);
  const request = vi.fn<Fetch>(async (...call) => {
    await held;
    return fetch(...call);
  });
  vi.stubGlobal('fetch', request);
  pass(intervalMs);
  returnToPage();
  await expect.poll(() => request).toHaveBeenCalled();
  await act();
  respond();
  await vi.dynamicImportSettled();
  expect(zoneName()).toBe(expected);
});

test('a 401 ends the session', async () => {
  respondWith(401, { detail: 'Token has expired' });
  pass(intervalMs);
  returnToPage();
  await expect.poll(getSession).toMatchObject({ status: 'signed-out' });
  expect(getSession()).toMatchObject({ message: 'Authentication required' });
});

test.each([
  ['no network', brokenNetwork],
  ['a 500', fetchResponding(500, { detail: 'Oops' }).fetch],
])('with %s the profile stays as it is', async (_, fetch) => {
  const request = vi.fn(fetch);
  vi.stubGlobal('fetch', request);
  pass(intervalMs);
  returnToPage();
  await expect.poll(() => request).toHaveBeenCalled();
  await vi.dynamicImportSettled();
  expect(getSession()).toMatchObject({ status: 'signed-in', token: 'a.b.c', user: rosa });
});

test.each<[stored: string | null, persisted: boolean, reloads: number]>([
  ['a.b.c', true, 0],
  ['d.e.f', true, 1],
  [null, true, 1],
  ['d.e.f', false, 0],
])(
  'with the stored token %s, a page that is shown again (kept by the browser: %s) is reloaded %d times',
  (stored, persisted, reloads) => {
    const reload = vi.fn();
    const localStorage = { ...noStorage, getItem: () => stored };
    Object.assign(browserWindow, { localStorage, location: { reload } });
    reloadAfterSessionChange();
    browserWindow.dispatchEvent(Object.assign(new Event('pageshow'), { persisted }));
    expect(reload).toHaveBeenCalledTimes(reloads);
  },
);

test('a kept page without a session is reloaded if somebody has signed in since', () => {
  const reload = vi.fn();
  closeSession();
  Object.assign(browserWindow, { location: { reload } });
  reloadAfterSessionChange();
  const showAgain = () =>
    browserWindow.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }));
  showAgain();
  expect(reload).not.toHaveBeenCalled();
  Object.assign(browserWindow, { localStorage: { ...noStorage, getItem: () => 'a.b.c' } });
  showAgain();
  expect(reload).toHaveBeenCalledOnce();
});
