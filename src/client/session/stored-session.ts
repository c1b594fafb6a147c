import type { User } from '#contract/auth.ts';
import { isWellFormedToken } from '#domain/account.ts';

const tokenKey = 'sprig.token';
const profileKey = 'sprig.profile';
const gardenKey = 'sprig.garden';
/** Version 0.1 kept a picture of the start screen there, with a copy of the token. */
const formerKey = 'sprig.first-paint';

/** In the token's place for the moment before it goes. */
const signOutMark = '';

export interface StoredSession {
  token: string;
  user: User | null;
}

/** What an earlier visit left; a token of the wrong form is cleared and counts as none (spec section 4, Session). */
export function readStoredSession(): StoredSession | null {
  for (const storage of storages()) {
    const token = storage.getItem(tokenKey);
    if (token === null) continue;
    if (isWellFormedToken(token)) return { token, user: readProfile(storage) };
    forget(storage);
  }
  return null;
}

/**
 * Beyond this browser session when remembered, else for it alone. The same keys in both. A device without room keeps it
 * for this tab, else for this page: nobody is kept out of their garden by that.
 */
export function storeSession(session: StoredSession, remember: boolean): void {
  clearStoredSession();
  const [persistent, perTab] = storages();
  for (const storage of remember ? [persistent, perTab] : [perTab]) {
    if (storage && fits(storage, session)) return;
  }
}

function fits(storage: Storage, { token, user }: StoredSession): boolean {
  try {
    storage.setItem(tokenKey, token);
    storage.setItem(profileKey, JSON.stringify(user));
    return true;
  } catch {
    forget(storage);
    return false;
  }
}

/** Whether it outlives this browser session. */
export function isRememberedToken(token: string): boolean {
  const [persistent] = storages();
  return persistent?.getItem(tokenKey) === token;
}

/** Renews the profile beside the token, wherever that is. */
export function storeProfile(user: User): void {
  const storage = storages().find((candidate) => candidate.getItem(tokenKey) !== null);
  try {
    storage?.setItem(profileKey, JSON.stringify(user));
  } catch {
    // No room: the earlier one stays, and the next start asks again.
  }
}

/** `isSignOut`: marks a sign-out, so that other tabs can distinguish it from an expired session. */
export function clearStoredSession({ isSignOut = false } = {}): void {
  for (const storage of storages()) {
    if (isSignOut && storage.getItem(tokenKey) !== null) storage.setItem(tokenKey, signOutMark);
    forget(storage);
  }
}

function forget(storage: Storage): void {
  for (const key of [tokenKey, profileKey, gardenKey, formerKey]) storage.removeItem(key);
}

/** The cached first cards of the last visit, as JSON; null without a session. */
export function readStoredGarden(): string | null {
  const storage = storages().find((candidate) => candidate.getItem(tokenKey));
  return storage?.getItem(gardenKey) ?? null;
}

/**
 * Stores it beside the token and nowhere else, so that it ends with the session; null removes it. A device without
 * room starts without.
 */
export function storeGarden(token: string, garden: string | null): void {
  for (const storage of storages()) {
    storage.removeItem(formerKey);
    if (storage.getItem(tokenKey) !== token) continue;
    storage.removeItem(gardenKey);
    try {
      if (garden !== null) storage.setItem(gardenKey, garden);
    } catch {
      // No room.
    }
  }
}

/** Another tab signed out or lost the session. The token of this tab alone does not hear of it. */
export function onTokenRemoved(react: (token: string, isSignOut: boolean) => void): void {
  window.addEventListener('storage', ({ key, oldValue, newValue }) => {
    if (key !== tokenKey || !oldValue) return;
    if (newValue === signOutMark || newValue === null) react(oldValue, newValue !== null);
  });
}

function readProfile(storage: Storage): User | null {
  try {
    return asUser(JSON.parse(storage.getItem(profileKey) ?? 'null'));
  } catch {
    return null;
  }
}

/** Checked by hand: this is read before the first paint, where the schemas' code would be in the way. */
function asUser(kept: Partial<Record<keyof User, unknown>> | null): User | null {
  const { username, email, is_verified } = kept ?? {};
  const isUser =
    typeof username === 'string' && typeof email === 'string' && typeof is_verified === 'boolean';
  return isUser ? { username, email, is_verified } : null;
}

/** Persistent first. A browser that denies storage throws at the mere mention of it: then a session lasts one page. */
function storages(): Storage[] {
  try {
    return [window.localStorage, window.sessionStorage];
  } catch {
    return [];
  }
}
