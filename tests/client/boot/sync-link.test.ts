import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { deviceDbName } from '#client/store/device-db-name.ts';
import type { ToWorker } from '#client/sync/engine-host.ts';

const rosa = { username: 'Rosa', email: 'rosa@garden.org', is_verified: true };
const tom = { username: 'Tom', email: 'tom@garden.org', is_verified: true };

let posted: ToWorker[] = [];
/** The messages to the engine in the page. */
let handledInPage: ToWorker[] = [];
let isTerminated = false;
let browserWindow: EventTarget;
let page: EventTarget & { visibilityState: string };
/** Fires an event of the worker. */
let fire: (type: string, event: object) => void;
beforeEach(() => {
  // session.ts keeps the session in a module variable, so each test imports it again, as a new page does.
  vi.resetModules();
  posted = [];
  handledInPage = [];
  isTerminated = false;
  vi.doMock('#client/sync/engine-host.ts', () => ({
    hostEngine: () => (message: ToWorker) => handledInPage.push(message),
  }));
  const storageOf = (token: string | null) => ({
    getItem: () => token,
    setItem: () => undefined,
    removeItem: () => undefined,
  });
  browserWindow = Object.assign(new EventTarget(), {
    localStorage: storageOf('a.b.c'),
    sessionStorage: storageOf(null),
  });
  page = Object.assign(new EventTarget(), { visibilityState: 'visible' });
  vi.stubGlobal('window', browserWindow);
  vi.stubGlobal('document', page);
  vi.stubGlobal(
    'Worker',
    class {
      listeners = new Map<string, (event: object) => void>();
      constructor() {
        fire = (type, event) => this.listeners.get(type)?.(event);
      }
      addEventListener = (type: string, listener: (event: object) => void) =>
        this.listeners.set(type, listener);
      terminate = () => {
        isTerminated = true;
      };
      postMessage = (message: ToWorker) => posted.push(message);
    },
  );
});
afterEach(() => vi.unstubAllGlobals());

/** The database and token of each `open` message to the worker, in order; null for a `close` message. */
function opened(): (readonly [string, string] | null)[] {
  return posted.flatMap((message) => {
    if (message.type === 'open') return [[message.dbName, message.token] as const];
    return message.type === 'close' ? [null] : [];
  });
}

test('the worker is asked only once to open a database, even if the profile of the session changes', async () => {
  const { linkSync } = await import('#client/boot/sync-link.ts');
  const { openSession } = await import('#client/session/session.ts');
  linkSync();
  expect(opened()).toEqual([]);
  await openSession('a.b.c', rosa);
  await openSession('a.b.c', { ...rosa, username: 'Rosa Gardener' });
  expect(opened()).toEqual([[deviceDbName(rosa.email), 'a.b.c']]);
});

test('the worker is asked to open again when the database or the token of the session changes, and to close at sign-out', async () => {
  const { linkSync } = await import('#client/boot/sync-link.ts');
  const { closeSession, openSession } = await import('#client/session/session.ts');
  linkSync();
  await openSession('a.b.c', rosa);
  await openSession('a.b.c', tom);
  await openSession('d.e.f', tom);
  closeSession();
  expect(opened()).toEqual([
    [deviceDbName(rosa.email), 'a.b.c'],
    [deviceDbName(tom.email), 'a.b.c'],
    [deviceDbName(tom.email), 'd.e.f'],
    null,
  ]);
});

test('if the script of the worker cannot be loaded, the engine runs in the page and gets all messages', async () => {
  const { linkSync } = await import('#client/boot/sync-link.ts');
  const { closeSession, openSession } = await import('#client/session/session.ts');
  linkSync();
  await openSession('a.b.c', rosa);
  fire('error', new Event('error'));
  closeSession();
  await expect.poll(() => handledInPage.map(({ type }) => type)).toContain('close');
  expect(handledInPage).toEqual([...posted, { type: 'close' }]);
  expect(posted.map(({ type }) => type)).toEqual(['visible', 'open']);
  expect(isTerminated).toBe(true);
});

test('an error in a worker that has already started does not start a second engine in the page', async () => {
  const { linkSync } = await import('#client/boot/sync-link.ts');
  const { openSession } = await import('#client/session/session.ts');
  linkSync();
  fire('message', { data: { type: 'ready' } });
  fire('error', new Event('error'));
  await openSession('a.b.c', rosa);
  expect(posted.map(({ type }) => type)).toEqual(['visible', 'open']);
  expect(handledInPage).toEqual([]);
  expect(isTerminated).toBe(false);
});

test('where no worker can be started, the engine runs in the page', async () => {
  vi.stubGlobal(
    'Worker',
    class {
      constructor() {
        throw new DOMException('Denied', 'SecurityError');
      }
    },
  );
  const { linkSync } = await import('#client/boot/sync-link.ts');
  const { openSession } = await import('#client/session/session.ts');
  linkSync();
  await openSession('a.b.c', rosa);
  await expect.poll(() => handledInPage.map(({ type }) => type)).toEqual(['visible', 'open']);
});

test('the engine may send while the app is closed only if the session is remembered', async () => {
  const { linkSync } = await import('#client/boot/sync-link.ts');
  const { openSession } = await import('#client/session/session.ts');
  linkSync();
  await openSession('a.b.c', rosa);
  await openSession('d.e.f', rosa);
  expect(posted.filter(({ type }) => type === 'open')).toMatchObject([
    { token: 'a.b.c', isRemembered: true },
    { token: 'd.e.f', isRemembered: false },
  ]);
});

test.each<[event: string, at: 'the page' | 'the window', visibility: string, ToWorker]>([
  ['visibilitychange', 'the page', 'hidden', { type: 'visible', visible: false }],
  ['visibilitychange', 'the page', 'visible', { type: 'visible', visible: true }],
  ['resume', 'the page', 'visible', { type: 'visible', visible: true }],
  ['pageshow', 'the window', 'visible', { type: 'visible', visible: true }],
  ['online', 'the window', 'visible', { type: 'round' }],
  ['pagehide', 'the window', 'hidden', { type: 'leave' }],
  ['freeze', 'the page', 'hidden', { type: 'leave' }],
])('the event %s of %s (%s) sends the engine %j', async (event, at, visibility, message) => {
  const { linkSync } = await import('#client/boot/sync-link.ts');
  linkSync();
  expect(posted).toEqual([{ type: 'visible', visible: true }]);
  posted = [];
  page.visibilityState = visibility;
  (at === 'the page' ? page : browserWindow).dispatchEvent(new Event(event));
  expect(posted).toEqual([message]);
});

/** Fires an event for a page that the browser keeps for Back and Forward, or shows again. */
function fireForKeptPage(event: 'pagehide' | 'pageshow'): void {
  browserWindow.dispatchEvent(Object.assign(new Event(event), { persisted: true }));
}

test('if the browser keeps the left page, its worker is ended, so that it holds no lock, and Back starts a new one', async () => {
  const { linkSync } = await import('#client/boot/sync-link.ts');
  const { openSession } = await import('#client/session/session.ts');
  linkSync();
  fire('message', { data: { type: 'ready' } });
  await openSession('a.b.c', rosa);
  fireForKeptPage('pagehide');
  expect(isTerminated).toBe(true);
  posted = [];
  fireForKeptPage('pageshow');
  expect(opened()).toEqual([[deviceDbName(rosa.email), 'a.b.c']]);
  expect(posted).toContainEqual({ type: 'visible', visible: true });
  posted = [];
  fireForKeptPage('pageshow');
  expect(posted).toEqual([{ type: 'visible', visible: true }]);
});

test('a kept page does not open the database again if the session has ended in the meantime', async () => {
  const { linkSync } = await import('#client/boot/sync-link.ts');
  const { closeSession, openSession } = await import('#client/session/session.ts');
  linkSync();
  await openSession('a.b.c', rosa);
  fireForKeptPage('pagehide');
  closeSession();
  posted = [];
  fireForKeptPage('pageshow');
  expect(opened()).toEqual([]);
});

test('an engine in the page stays when the browser keeps the page, and leads again when it is shown', async () => {
  const { linkSync } = await import('#client/boot/sync-link.ts');
  const { openSession } = await import('#client/session/session.ts');
  linkSync();
  await openSession('a.b.c', rosa);
  fire('error', new Event('error'));
  fireForKeptPage('pagehide');
  fireForKeptPage('pageshow');
  const types = () => handledInPage.map(({ type }) => type);
  await expect.poll(types).toEqual(['visible', 'open', 'leave', 'visible']);
});

test('a 401 that the engine gets ends the session', async () => {
  const { linkSync } = await import('#client/boot/sync-link.ts');
  const { getSession, openSession } = await import('#client/session/session.ts');
  linkSync();
  await openSession('a.b.c', rosa);
  fire('message', { data: { type: 'unauthorized', token: 'a.b.c' } });
  await expect.poll(getSession).toMatchObject({ status: 'signed-out', hasSignedOut: false });
});

test('while changes wait, a background sync is registered; a browser that denies it causes no error', async () => {
  const tags: string[] = [];
  const register = async (tag: string) => {
    tags.push(tag);
    throw new DOMException('Denied', 'NotAllowedError');
  };
  const getRegistration = async () => ({ sync: { register } });
  vi.stubGlobal('navigator', { serviceWorker: { getRegistration } });
  const { linkSync } = await import('#client/boot/sync-link.ts');
  linkSync();
  fire('message', { data: { type: 'ops-waiting', dbName: 'sprig-1' } });
  await expect.poll(() => tags).toEqual(['send sprig-1']);
});
