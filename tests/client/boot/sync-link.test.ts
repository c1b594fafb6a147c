import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { deviceDbName } from '#client/store/device-db-name.ts';
import type { ToWorker } from '#client/sync/engine-host.ts';

const rosa = { username: 'Rosa', email: 'rosa@garden.org', is_verified: true };
const tom = { username: 'Tom', email: 'tom@garden.org', is_verified: true };

let posted: ToWorker[] = [];
/** The messages to the engine in the page. */
let handledInPage: ToWorker[] = [];
let isTerminated = false;
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
  const addEventListener = () => undefined;
  const emptyStorage = { getItem: () => null, removeItem: () => undefined };
  vi.stubGlobal('window', {
    addEventListener,
    localStorage: emptyStorage,
    sessionStorage: emptyStorage,
  });
  vi.stubGlobal('document', { addEventListener, visibilityState: 'visible' });
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
