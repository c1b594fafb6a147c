import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Fetch } from '#client/api/send.ts';
import type { User } from '#contract/auth.ts';
import { defaultZone, timeZoneOf } from '#domain/zone.ts';
import { brokenNetwork } from '../../support/device/fetch-stub.ts';

const tokenKey = 'sprig.token';
const profileKey = 'sprig.profile';
const rosa = { username: 'Rosa', email: 'rosa@garden.org', is_verified: true };
const tom = { username: 'Tom', email: 'tom@garden.org', is_verified: true };

type Change = { key: string; oldValue: string | null; newValue: string | null };

/** Calls `onChange` only if the value has changed, because browsers dispatch a storage event only then. */
function newStorage(onChange: (change: Change) => void = () => undefined) {
  const entries = new Map<string, string>();
  const change = (key: string, newValue: string | null) => {
    const oldValue = entries.get(key) ?? null;
    if (newValue === null) entries.delete(key);
    else entries.set(key, newValue);
    if (oldValue !== newValue) onChange({ key, oldValue, newValue });
  };
  return {
    entries,
    getItem: (key: string) => entries.get(key) ?? null,
    removeItem: (key: string) => change(key, null),
    setItem: change,
  };
}

/** What belongs to one tab of the browser. */
interface TabState {
  sessionStorage: ReturnType<typeof newStorage>;
  listeners: ((change: Change) => void)[];
}

let tabs: TabState[] = [];
let current: TabState | null = null;
let localStorage = newStorage();

/** Runs `work` in a tab. `work` must not use storage after an await. */
function runIn<T>(tab: TabState, work: () => T): T {
  const before = current;
  current = tab;
  try {
    return work();
  } finally {
    current = before;
  }
}

beforeEach(() => {
  tabs = [];
  localStorage = newStorage((change) => {
    for (const tab of tabs.filter((tab) => tab !== current)) {
      runIn(tab, () => {
        for (const listener of tab.listeners) listener(change);
      });
    }
  });
  vi.stubGlobal('fetch', brokenNetwork);
  vi.stubGlobal('window', {
    localStorage,
    get sessionStorage() {
      return current?.sessionStorage;
    },
    addEventListener: (_: 'storage', listener: (change: Change) => void) =>
      current?.listeners.push(listener),
  });
});
afterEach(() => {
  current = null;
  vi.unstubAllGlobals();
});

/** Opens a tab, or opens the app again in the tab that had `state`. */
async function openTab(state: TabState = { sessionStorage: newStorage(), listeners: [] }) {
  // session.ts stores the session in its module, so each tab imports it anew.
  vi.resetModules();
  state.listeners = [];
  if (!tabs.includes(state)) tabs.push(state);
  current = state;
  const session = await import('#client/session/session.ts');
  const { storeProfile, storeSession } = await import('#client/session/stored-session.ts');
  await session.restoreSession('/assets/index-1.js');
  current = null;
  return {
    state,
    async signIn(token: string, user: User, { remember }: { remember: boolean }): Promise<void> {
      runIn(state, () => storeSession({ token, user }, remember));
      await session.openSession(token, user);
    },
    /** Stores a profile that the server has sent, as after a change in the settings. */
    storeProfile: (token: string, user: User, zone = defaultZone) =>
      runIn(state, () => storeProfile(token, user, zone)),
    /** The time zone of this tab. */
    zone: () => {
      const now = session.getSession();
      return now.status === 'signed-in' ? now.zone.name : undefined;
    },
    replaceToken: (earlier: string, token: string) =>
      runIn(state, () => session.replaceToken(earlier, token)),
    signOut: () => runIn(state, session.closeSession),
    async getUnauthorized(token: string): Promise<void> {
      current = state;
      await session.handleUnauthorized(token);
      current = null;
    },
    /** The token and the name of the person who uses this tab; null if nobody is signed in. */
    whose: () => {
      const now = session.getSession();
      return now.status === 'signed-in' ? [now.token, now.user.username] : null;
    },
  };
}

/** Opens a duplicate of a tab, which has a copy of its sessionStorage. */
function duplicate({ state }: { state: TabState }) {
  const sessionStorage = newStorage();
  for (const [key, value] of state.sessionStorage.entries) sessionStorage.setItem(key, value);
  return openTab({ sessionStorage, listeners: [] });
}

const remembered = { remember: true };
const ofTab = { remember: false };

test('signing in in a second tab keeps the first one signed in; signing out then ends both', async () => {
  const first = await openTab();
  const second = await openTab();
  await first.signIn('a.b.1', rosa, remembered);
  await second.signIn('a.b.2', rosa, remembered);
  expect(localStorage.getItem(tokenKey)).toBe('a.b.2');
  expect(first.whose()).toEqual(['a.b.2', 'Rosa']);
  second.signOut();
  expect([first.whose(), second.whose()]).toEqual([null, null]);
  expect(localStorage.getItem(tokenKey)).toBeNull();
});

test('if a sign-in in another tab replaces a token, only the replaced token is ended on the server', async () => {
  const requests: string[] = [];
  const recorded: Fetch = (path, init) => {
    requests.push(`${path} ${new Headers(init.headers).get('authorization')}`);
    return brokenNetwork(path, init);
  };
  vi.stubGlobal('fetch', recorded);
  const first = await openTab();
  const second = await openTab();
  const third = await openTab();
  await first.signIn('a.b.1', rosa, remembered);
  await third.signIn('a.b.3', tom, ofTab);
  await second.signIn('a.b.2', rosa, remembered);
  await expect.poll(() => requests).toEqual(['/auth/logout Bearer a.b.1']);
  expect(first.whose()).toEqual(['a.b.2', 'Rosa']);
});

test('a name and a time zone that are changed in one tab are shown in the other', async () => {
  const first = await openTab();
  const second = await openTab();
  await first.signIn('a.b.1', rosa, remembered);
  await second.signIn('a.b.1', rosa, remembered);
  const changed = { ...rosa, username: 'Rosalind', time_zone: 'Asia/Tokyo' };
  second.storeProfile('a.b.1', changed, timeZoneOf('Asia/Tokyo'));
  await expect.poll(first.whose).toEqual(['a.b.1', 'Rosalind']);
  expect(first.zone()).toBe('Asia/Tokyo');
});

test.each([
  ['of all tabs', true],
  ['of the tab', false],
])(
  'a replaced token is stored where the earlier one was, in the storage %s',
  async (_, remember) => {
    const tab = await openTab();
    const user = { ...rosa, time_zone: 'Asia/Tokyo' };
    await tab.signIn('a.b.1', user, { remember });
    expect(tab.replaceToken('a.b.1', 'a.b.2')).toBe(true);
    expect(tab.whose()).toEqual(['a.b.2', 'Rosa']);
    const used = remember ? localStorage : tab.state.sessionStorage;
    const unused = remember ? tab.state.sessionStorage : localStorage;
    expect([used.getItem(tokenKey), unused.getItem(tokenKey)]).toEqual(['a.b.2', null]);
    const { offsets } = timeZoneOf('Asia/Tokyo');
    expect(JSON.parse(used.getItem(profileKey) ?? '')).toMatchObject({ ...user, offsets });
  },
);

test('a token that is replaced in one tab is replaced in the other tabs', async () => {
  const first = await openTab();
  const second = await openTab();
  await first.signIn('a.b.1', rosa, remembered);
  await second.signIn('a.b.1', rosa, remembered);
  second.replaceToken('a.b.1', 'a.b.2');
  await expect.poll(first.whose).toEqual(['a.b.2', 'Rosa']);
});

test('a tab that signs out while another tab stores a profile stays signed out', async () => {
  const first = await openTab();
  const second = await openTab();
  await first.signIn('a.b.1', rosa, remembered);
  await second.signIn('a.b.1', rosa, remembered);
  second.storeProfile('a.b.1', { ...rosa, username: 'Rosalind' });
  first.signOut();
  await vi.dynamicImportSettled();
  expect([first.whose(), second.whose()]).toEqual([null, null]);
});

test('a sign-in to another account in a second tab does not end the first tab’s session', async () => {
  const first = await openTab();
  const second = await openTab();
  await first.signIn('a.b.1', rosa, remembered);
  await second.signIn('a.b.2', tom, remembered);
  expect(first.whose()).toEqual(['a.b.1', 'Rosa']);
  first.signOut();
  expect(second.whose()).toEqual(['a.b.2', 'Tom']);
  expect(localStorage.getItem(tokenKey)).toBe('a.b.2');
});

test('a late 401 for an earlier token does not delete the token that has replaced it', async () => {
  const first = await openTab();
  const second = await openTab();
  await first.signIn('a.b.1', rosa, remembered);
  await second.signIn('a.b.2', tom, remembered);
  await first.getUnauthorized('a.b.1');
  expect(first.whose()).toBeNull();
  expect(second.whose()).toEqual(['a.b.2', 'Tom']);
  expect(localStorage.getItem(tokenKey)).toBe('a.b.2');
});

test('signing out of the session of one tab keeps the remembered session', async () => {
  const first = await openTab();
  const second = await openTab();
  await first.signIn('a.b.1', rosa, remembered);
  await second.signIn('a.b.2', tom, ofTab);
  second.signOut();
  expect(second.state.sessionStorage.getItem(tokenKey)).toBeNull();
  expect(localStorage.getItem(tokenKey)).toBe('a.b.1');
  expect(JSON.parse(localStorage.getItem(profileKey) ?? '')).toEqual(rosa);
  expect(first.whose()).toEqual(['a.b.1', 'Rosa']);
});

test('signing out of the session of one tab ends it in a duplicate of the tab, and in no other tab', async () => {
  const first = await openTab();
  await first.signIn('a.b.1', rosa, ofTab);
  const second = await duplicate(first);
  const other = await openTab();
  await other.signIn('a.b.2', tom, ofTab);
  expect(second.whose()).toEqual(['a.b.1', 'Rosa']);
  first.signOut();
  expect([first.whose(), second.whose()]).toEqual([null, null]);
  expect(second.state.sessionStorage.entries).toEqual(new Map());
  expect((await openTab(second.state)).whose()).toBeNull();
  expect(other.whose()).toEqual(['a.b.2', 'Tom']);
  expect(localStorage.entries).toEqual(new Map());
});

test('signing out of a session that only one tab has writes no token to localStorage', async () => {
  const tab = await openTab();
  await tab.signIn('a.b.1', rosa, ofTab);
  const written: (string | null)[] = [];
  const { setItem } = localStorage;
  localStorage.setItem = (key, value) => {
    written.push(value);
    setItem(key, value);
  };
  tab.signOut();
  expect(written).toHaveLength(1);
  expect(written.join()).not.toContain('a.b.1');
});

test('a tab can sign out of its own session although localStorage is full', async () => {
  const tab = await openTab();
  await tab.signIn('a.b.1', rosa, ofTab);
  localStorage.setItem = () => {
    throw new Error('QuotaExceededError');
  };
  tab.signOut();
  expect(tab.whose()).toBeNull();
  expect(tab.state.sessionStorage.entries).toEqual(new Map());
});

test('a tab that is opened again has its own session, not the remembered one', async () => {
  const first = await openTab();
  const second = await openTab();
  await second.signIn('a.b.2', tom, ofTab);
  await first.signIn('a.b.1', rosa, remembered);
  expect((await openTab(second.state)).whose()).toEqual(['a.b.2', 'Tom']);
  expect((await openTab()).whose()).toEqual(['a.b.1', 'Rosa']);
});

test('a sign-in with "Remember me" replaces the session of the tab', async () => {
  const tab = await openTab();
  await tab.signIn('a.b.1', rosa, ofTab);
  await tab.signIn('a.b.2', tom, remembered);
  expect(tab.state.sessionStorage.getItem(tokenKey)).toBeNull();
  expect((await openTab(tab.state)).whose()).toEqual(['a.b.2', 'Tom']);
});

test('an expired session ends in all tabs that use its token', async () => {
  const first = await openTab();
  await first.signIn('a.b.1', rosa, remembered);
  const second = await openTab();
  await first.getUnauthorized('a.b.1');
  expect([first.whose(), second.whose()]).toEqual([null, null]);
  expect(localStorage.getItem(tokenKey)).toBeNull();
});

test('if the session of one tab expires, a duplicate of the tab stays signed in until it gets a 401 itself', async () => {
  const first = await openTab();
  await first.signIn('a.b.1', rosa, ofTab);
  const second = await duplicate(first);
  await first.getUnauthorized('a.b.1');
  expect([first.whose(), second.whose()]).toEqual([null, ['a.b.1', 'Rosa']]);
  await second.getUnauthorized('a.b.1');
  expect(second.whose()).toBeNull();
});

test('if the storage of all tabs has room for the token alone, it keeps nothing of the session', async () => {
  const tab = await openTab();
  const { setItem } = localStorage;
  localStorage.setItem = (key, value) => {
    if (key === profileKey) throw new Error('QuotaExceededError');
    setItem(key, value);
  };
  await tab.signIn('a.b.1', rosa, remembered);
  expect(localStorage.entries).toEqual(new Map());
  expect(tab.state.sessionStorage.getItem(tokenKey)).toBe('a.b.1');
});

test('a tab that is being opened while another one signs out opens no session', async () => {
  const first = await openTab();
  await first.signIn('a.b.c', rosa, remembered);
  const { getItem } = localStorage;
  localStorage.getItem = (key) => {
    const value = getItem(key);
    // Signs out after the second tab has read the session, while it loads the code of the database.
    if (key === profileKey && value !== null) queueMicrotask(first.signOut);
    return value;
  };
  const second = await openTab();
  await second.getUnauthorized('another.token.altogether');
  expect(second.whose()).toBeNull();
});
