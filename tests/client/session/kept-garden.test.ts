import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { KeptGarden } from '#client/session/kept-garden.ts';
import { countPlants } from '#domain/plant/filter.ts';

type KeptGardenModule = typeof import('#client/session/kept-garden.ts');

const tokenKey = 'sprig.token';
const gardenKey = 'sprig.garden';
const token = 'a.b.c';
const owner = { dbName: 'sprig-rosa', build: '/assets/main-1.js' };

const fern = {
  key: 'p1',
  record: { id: 'p1', nickname: 'Fern' },
  stamp: 'r1|',
  waiting: [],
  rejected: [],
};
const garden: KeptGarden = { plants: [fern], latest: { p1: null }, counts: countPlants([], 0) };

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
  localStorage = newStorage();
  sessionStorage = newStorage();
  vi.stubGlobal('window', { localStorage, sessionStorage });
  localStorage.setItem(tokenKey, token);
});
afterEach(() => vi.unstubAllGlobals());

/** The module as a newly opened page has it. */
async function nextPage(): Promise<KeptGardenModule> {
  vi.resetModules();
  return import('#client/session/kept-garden.ts');
}

async function gardenAtNextStart(reader = owner): Promise<KeptGarden | null> {
  const page = await nextPage();
  page.loadKeptGarden(reader);
  return page.gardenAtStart(reader.dbName);
}

async function keep(kept = garden): Promise<void> {
  (await nextPage()).keepGarden(token, owner, kept);
}

test('the next start gets the cached garden', async () => {
  await keep();
  expect(await gardenAtNextStart()).toEqual(garden);
});

test('a session of one tab caches its garden in that tab only', async () => {
  localStorage.removeItem(tokenKey);
  sessionStorage.setItem(tokenKey, token);
  await keep();
  expect(localStorage.getItem(gardenKey)).toBeNull();
  expect(await gardenAtNextStart()).toEqual(garden);
});

test.each([
  ['another account', { ...owner, dbName: 'sprig-tom' }],
  ['another build of the app', { ...owner, build: '/assets/main-2.js' }],
])('%s does not get the cached garden', async (_, reader) => {
  await keep();
  expect(await gardenAtNextStart(reader)).toBeNull();
});

test('a page loaded for one account shows nothing of it to another', async () => {
  await keep();
  const page = await nextPage();
  page.loadKeptGarden(owner);
  expect(page.gardenAtStart('sprig-tom')).toBeNull();
});

test('nothing is cached once the token has been deleted or replaced', async () => {
  localStorage.setItem(tokenKey, 'd.e.f');
  await keep();
  expect(localStorage.getItem(gardenKey)).toBeNull();
  localStorage.removeItem(tokenKey);
  await keep();
  expect(localStorage.getItem(gardenKey)).toBeNull();
});

test('the end of a session deletes the cached garden and the screen cached by version 0.1', async () => {
  await keep();
  localStorage.setItem('sprig.first-paint', '{}');
  const { clearStoredSession } = await import('#client/session/stored-session.ts');
  clearStoredSession();
  expect(localStorage.getItem(gardenKey)).toBeNull();
  expect(localStorage.getItem('sprig.first-paint')).toBeNull();
});

test('an empty garden replaces the one before and shows nothing', async () => {
  await keep();
  await keep({ ...garden, plants: [] });
  expect(await gardenAtNextStart()).toBeNull();
});

test('with full storage only the cached garden is lost', async () => {
  await keep();
  localStorage.isFull = true;
  await keep();
  expect(localStorage.getItem(tokenKey)).toBe(token);
  expect(await gardenAtNextStart()).toBeNull();
});

test('a browser that denies storage starts without a cached garden', async () => {
  vi.stubGlobal('window', {
    get localStorage() {
      throw new DOMException('Denied', 'SecurityError');
    },
  });
  await keep();
  expect(await gardenAtNextStart()).toBeNull();
});

const stored = { ...owner, garden };

test.each<[string, unknown]>([
  ['no JSON', '{'],
  ['null', null],
  ['no garden', owner],
  ['plants that are no list', { ...stored, garden: { ...garden, plants: {} } }],
  [
    'a plant without a record',
    { ...stored, garden: { ...garden, plants: [{ ...fern, record: null }] } },
  ],
  [
    'a plant without an id',
    { ...stored, garden: { ...garden, plants: [{ ...fern, record: {} }] } },
  ],
  [
    'a plant without its ops',
    { ...stored, garden: { ...garden, plants: [{ ...fern, waiting: null }] } },
  ],
  ['no readings', { ...stored, garden: { ...garden, latest: undefined } }],
  ['no numbers', { ...stored, garden: { ...garden, counts: {} } }],
])('%s is not shown', async (_, kept) => {
  localStorage.setItem(gardenKey, typeof kept === 'string' ? kept : JSON.stringify(kept));
  expect(await gardenAtNextStart()).toBeNull();
});

test('the start is over once the database has answered', async () => {
  await keep();
  const page = await nextPage();
  page.loadKeptGarden(owner);
  page.endStart();
  expect(page.gardenAtStart(owner.dbName)).toBeNull();
});
