import { hash53 } from '#client/store/device-db-name.ts';
import type { User } from '#contract/auth.ts';
import { isWellFormedToken } from '#domain/account.ts';
import type { TimeZone } from '#domain/zone.ts';
import type { StoredZone } from './zone.ts';

const tokenKey = 'sprig.token';
const profileKey = 'sprig.profile';
const gardenKey = 'sprig.garden';
/** Version 0.1 stored the HTML of the start screen under this key, with a copy of the token. */
const obsoleteKey = 'sprig.first-paint';

/** A sign-out writes this in place of the token before it removes it, so that other tabs recognize a sign-out. */
const signOutMark = '';
/**
 * A sign-out of a session in sessionStorage writes a hash of its token under this key of localStorage and removes it at
 * once, because a duplicate of the tab has a copy of the session. The token itself must not be stored beyond the tab.
 */
const endedKey = 'sprig.ended';

export interface StoredSession extends StoredProfile {
  token: string;
}

interface StoredProfile {
  user: User | null;
  /** The user's time zone as it was stored, so that a start needs no Intl. */
  zone?: StoredZone;
}

/** The session of an earlier visit. Null without a token; a malformed one is deleted (spec section 4, Session). */
export function readStoredSession(): StoredSession | null {
  for (const storage of storages()) {
    const token = storage.getItem(tokenKey);
    if (token === null) continue;
    if (isWellFormedToken(token)) return { token, ...readProfile(storage) };
    forget(storage);
  }
  return null;
}

/**
 * Stores the session: in localStorage when it is remembered, else in sessionStorage, under the same keys. If storage is
 * full, it is stored for this tab only, or not at all: then it lasts as long as the page. So full storage never
 * prevents a sign-in.
 */
export function storeSession(session: NewSession, remember: boolean): void {
  const [perTab, persistent] = storages();
  if (!perTab || !persistent) return;
  forget(perTab);
  if (!remember || !tryStore(persistent, session)) tryStore(perTab, session);
}

/** A session whose time zone is not stored yet. */
type NewSession = Pick<StoredSession, 'token' | 'user'>;

/** False if the storage is full. */
function tryStore(storage: Storage, { token, user }: NewSession): boolean {
  try {
    // The old profile is removed first, so that it is never beside a token of another account.
    storage.removeItem(profileKey);
    storage.removeItem(gardenKey);
    // The token is replaced by one write, because removing it would end the session in the tabs that use it.
    storage.setItem(tokenKey, token);
    storage.setItem(profileKey, JSON.stringify(user));
    return true;
  } catch {
    if (storage.getItem(tokenKey) === token) forget(storage);
    return false;
  }
}

/** Whether the token is stored beyond this browser session. */
export function isRememberedToken(token: string): boolean {
  const [, persistent] = storages();
  return persistent?.getItem(tokenKey) === token;
}

/**
 * Replaces the profile and its time zone in the storage that contains this token. The other storage may contain the
 * session of another account.
 */
export function storeProfile(
  token: string,
  user: User,
  { name, offsets, checkedAt }: TimeZone,
): void {
  const storage = storages().find((candidate) => candidate.getItem(tokenKey) === token);
  try {
    const profile = name === null ? user : { ...user, offsets, checkedAt };
    storage?.setItem(profileKey, JSON.stringify(profile));
  } catch {
    // Storage is full: the earlier profile stays, and the next start requests the current one.
  }
}

/**
 * Deletes the session with this token; another one, e.g. a newer one of another tab, stays. `isSignOut`: marks a
 * sign-out, so that other tabs can distinguish it from an expired session.
 */
export function clearStoredSession(token: string, { isSignOut = false } = {}): void {
  const [perTab] = storages();
  const isOfTab = perTab?.getItem(tokenKey) === token;
  for (const storage of storages()) {
    if (storage.getItem(tokenKey) !== token) continue;
    if (isSignOut) storage.setItem(tokenKey, signOutMark);
    forget(storage);
  }
  if (isSignOut && isOfTab) endCopies(token);
}

/** Ends the session in duplicates of this tab, see `followOtherTabs`. */
function endCopies(token: string): void {
  const [, persistent] = storages();
  try {
    persistent?.setItem(endedKey, hashOf(token));
    persistent?.removeItem(endedKey);
  } catch {
    // Storage is full: a duplicate stays signed in until the server rejects its token.
  }
}

function hashOf(token: string): string {
  return hash53(token, 1) + hash53(token, 2);
}

function forget(storage: Storage): void {
  for (const key of [tokenKey, profileKey, gardenKey, obsoleteKey]) storage.removeItem(key);
}

/** The garden snapshot of the last visit, as JSON; null without a session or a snapshot. */
export function readStoredSnapshot(): string | null {
  const storage = storages().find((candidate) => candidate.getItem(tokenKey));
  return storage?.getItem(gardenKey) ?? null;
}

/**
 * Stores the garden snapshot beside the token, so that it is deleted with the session; null removes it. If storage is
 * full, the next start has no snapshot.
 */
export function storeSnapshot(token: string, snapshot: string | null): void {
  for (const storage of storages()) {
    storage.removeItem(obsoleteKey);
    if (storage.getItem(tokenKey) !== token) continue;
    storage.removeItem(gardenKey);
    try {
      if (snapshot !== null) storage.setItem(gardenKey, snapshot);
    } catch {
      // Storage is full.
    }
  }
}

/**
 * Calls `onRemoved` when the session is removed in another tab, by a sign-out or because it expired. Calls `onProfile`
 * when another tab stores a profile, which happens after every sign-in and every change of the profile. A session in
 * sessionStorage exists only in duplicates of its tab; for it, only sign-outs are followed.
 */
export function followOtherTabs(
  onRemoved: (token: string, isSignOut: boolean) => void,
  onProfile: () => void,
): void {
  window.addEventListener('storage', ({ key, oldValue, newValue }) => {
    if (key === profileKey && newValue) onProfile();
    if (key === endedKey && newValue) {
      const copy = forgetCopy(newValue);
      if (copy) onRemoved(copy, true);
    }
    if (key !== tokenKey || !oldValue) return;
    if (newValue === signOutMark || newValue === null) onRemoved(oldValue, newValue !== null);
  });
}

/** Deletes this tab's session if its token has this hash, and returns the token. */
function forgetCopy(hash: string): string | null {
  const [perTab] = storages();
  const token = perTab?.getItem(tokenKey);
  if (!perTab || !token || hashOf(token) !== hash) return null;
  forget(perTab);
  return token;
}

/** Does not use a schema, whose code would delay the first paint. */
function readProfile(storage: Storage): StoredProfile {
  try {
    const stored = JSON.parse(storage.getItem(profileKey) ?? 'null');
    return { user: asUser(stored), zone: stored ?? {} };
  } catch {
    return { user: null };
  }
}

function asUser(stored: Partial<Record<keyof User, unknown>> | null): User | null {
  const { username, email, is_verified, time_zone, device_key } = stored ?? {};
  const isUser =
    typeof username === 'string' && typeof email === 'string' && typeof is_verified === 'boolean';
  if (!isUser) return null;
  // With all fields, because a field that is left out here would be lost at a start without a network.
  const user: Required<User> = {
    username,
    email,
    is_verified,
    time_zone: typeof time_zone === 'string' ? time_zone : undefined,
    device_key: typeof device_key === 'string' ? device_key : undefined,
  };
  return user;
}

/**
 * Where a session may be stored. This tab's own storage is first, because its session takes precedence over one that is
 * remembered for all tabs. Empty if the browser denies storage: then even reading the property throws.
 */
function storages(): Storage[] {
  try {
    return [window.sessionStorage, window.localStorage];
  } catch {
    return [];
  }
}
