import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { GardenSnapshot } from '#client/session/garden-snapshot.ts';
import { countPlants } from '#domain/plant/filter.ts';
import { defaultZone } from '#domain/zone.ts';

type SnapshotModule = typeof import('#client/session/garden-snapshot.ts');

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
const garden: GardenSnapshot = {
  plants: [fern],
  latest: { p1: null },
  counts: countPlants([], 0, defaultZone),
  pulledAt: 5,
};

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
async function nextPage(): Promise<SnapshotModule> {
  vi.resetModules();
  return import('#client/session/garden-snapshot.ts');
}

async function snapshotAtNextStart(reader = owner): Promise<GardenSnapshot | null> {
  const page = await nextPage();
  page.loadGardenSnapshot(reader);
  return page.snapshotAtStart(reader.dbName);
}

async function save(snapshot = garden): Promise<void> {
  (await nextPage()).saveGardenSnapshot(token, owner, snapshot);
}

test('the next start gets the snapshot', async () => {
  await save();
  expect(await snapshotAtNextStart()).toEqual(garden);
});

test('a session of one tab stores its snapshot in that tab only', async () => {
  localStorage.removeItem(tokenKey);
  sessionStorage.setItem(tokenKey, token);
  await save();
  expect(localStorage.getItem(gardenKey)).toBeNull();
  expect(await snapshotAtNextStart()).toEqual(garden);
});

test.each([
  ['another account', { ...owner, dbName: 'sprig-tom' }],
  ['another build of the app', { ...owner, build: '/assets/main-2.js' }],
])('%s does not get the snapshot', async (_, reader) => {
  await save();
  expect(await snapshotAtNextStart(reader)).toBeNull();
});

test('a snapshot loaded for one account is not returned for another', async () => {
  await save();
  const page = await nextPage();
  page.loadGardenSnapshot(owner);
  expect(page.snapshotAtStart('sprig-tom')).toBeNull();
});

test('nothing is stored once the token has been deleted or replaced', async () => {
  localStorage.setItem(tokenKey, 'd.e.f');
  await save();
  expect(localStorage.getItem(gardenKey)).toBeNull();
  localStorage.removeItem(tokenKey);
  await save();
  expect(localStorage.getItem(gardenKey)).toBeNull();
});

test('the end of a session deletes the snapshot and the HTML of the start screen that version 0.1 stored', async () => {
  await save();
  localStorage.setItem('sprig.first-paint', '{}');
  const { clearStoredSession } = await import('#client/session/stored-session.ts');
  clearStoredSession(token);
  expect(localStorage.getItem(gardenKey)).toBeNull();
  expect(localStorage.getItem('sprig.first-paint')).toBeNull();
});

test('while a person is signed in, saving deletes the HTML that version 0.1 stored, because it contains a token', async () => {
  localStorage.setItem('sprig.first-paint', '{}');
  await save();
  expect(localStorage.getItem('sprig.first-paint')).toBeNull();
});

test('saving an empty garden deletes the stored snapshot', async () => {
  await save();
  await save({ ...garden, plants: [] });
  expect(await snapshotAtNextStart()).toBeNull();
});

test('with full storage only the snapshot is lost', async () => {
  await save();
  localStorage.isFull = true;
  await save();
  expect(localStorage.getItem(tokenKey)).toBe(token);
  expect(await snapshotAtNextStart()).toBeNull();
});

test('a browser that denies storage starts without a snapshot', async () => {
  vi.stubGlobal('window', {
    get localStorage() {
      throw new DOMException('Denied', 'SecurityError');
    },
  });
  await save();
  expect(await snapshotAtNextStart()).toBeNull();
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
])('an invalid stored snapshot is not shown: %s', async (_, text) => {
  localStorage.setItem(gardenKey, typeof text === 'string' ? text : JSON.stringify(text));
  expect(await snapshotAtNextStart()).toBeNull();
});

test('a snapshot that was loaded at the start is no longer returned after it is discarded', async () => {
  await save();
  const page = await nextPage();
  page.loadGardenSnapshot(owner);
  page.discardStartSnapshot();
  expect(page.snapshotAtStart(owner.dbName)).toBeNull();
});
