import type { User } from '#contract/auth.ts';
import { isWellFormedToken } from '#domain/session-rules.ts';

const tokenKey = 'sprig.token';
const profileKey = 'sprig.profile';

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
    storage.removeItem(tokenKey);
    storage.removeItem(profileKey);
  }
  return null;
}

/** Beyond this browser session when remembered, else for it alone. The same keys in both. */
export function storeSession({ token, user }: StoredSession, remember: boolean): void {
  clearStoredSession();
  const [persistent, perTab] = storages();
  const storage = remember ? persistent : perTab;
  storage?.setItem(tokenKey, token);
  storage?.setItem(profileKey, JSON.stringify(user));
}

/** Renews the profile beside the token, wherever that is. */
export function storeProfile(user: User): void {
  const storage = storages().find((candidate) => candidate.getItem(tokenKey) !== null);
  storage?.setItem(profileKey, JSON.stringify(user));
}

export function clearStoredSession(): void {
  for (const storage of storages()) {
    storage.removeItem(tokenKey);
    storage.removeItem(profileKey);
  }
}

/** Another tab signed out. The token of this tab alone does not hear of it. */
export function onTokenRemoved(react: () => void): void {
  window.addEventListener('storage', (event) => {
    if (event.key === tokenKey && event.newValue === null && event.oldValue !== null) react();
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
