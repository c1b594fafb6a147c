import { ApiFailure } from '#api/ask.ts';
import * as api from '#api/auth.ts';
import type { User } from '#contract/auth.ts';
import { deviceDbName } from '#data/account-name.ts';
import type { DeviceDb } from '#data/db.ts';
import { SignInError } from './sign-in-error.ts';
import {
  clearStoredSession,
  onTokenRemoved,
  readStoredSession,
  storeProfile,
  storeSession,
} from './stored-session.ts';

/** Who uses this page. The database is the account's own; it stays on the device when a session merely ends. */
export type Session =
  | { status: 'loading' }
  | { status: 'signed-out'; notice: string | null }
  | { status: 'signed-in'; token: string; user: User; db: DeviceDb };

export type SignedIn = Session & { status: 'signed-in' };

let session: Session = { status: 'loading' };
const listeners = new Set<() => void>();

export function getSession(): Session {
  return session;
}

export function subscribeSession(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * Restores the session of an earlier visit. With a kept profile the app opens at once and the server's word follows;
 * only a refusal ends the session, a missing network never does.
 */
export async function restoreSession(): Promise<void> {
  onTokenRemoved(() => setSession({ status: 'signed-out', notice: null }));
  const stored = readStoredSession();
  if (!stored) return setSession({ status: 'signed-out', notice: null });
  if (stored.user) await open(stored.token, stored.user);
  try {
    const user = await api.fetchCurrentUser({ token: stored.token });
    if (!holds(stored.token)) return;
    storeProfile(user);
    await open(stored.token, user);
  } catch (error) {
    const unreachable = error instanceof ApiFailure && error.status === null;
    if (unreachable && stored.user) return;
    if (holds(stored.token)) expireSession('Session expired. Please login again.');
  }
}

/** Signs in and loads the profile; throws a SignInError with the words to show. */
export async function signIn(form: {
  email: string;
  password: string;
  rememberMe: boolean;
}): Promise<void> {
  const email = form.email.trim();
  const { password, rememberMe } = form;
  const token = await api
    .signIn({ username_or_email: email, password, rememberMe })
    .catch((error: unknown) => {
      throw new SignInError(error);
    });
  const user = await api
    .fetchCurrentUser({ token })
    .catch(() => ({ username: email, email, is_verified: false }));
  storeSession({ token, user }, rememberMe);
  await open(token, user);
}

/** Ends the session here and on the server, and removes everything of the account from this device. */
export async function signOut(): Promise<void> {
  if (session.status !== 'signed-in') return;
  const { token, db } = session;
  clearStoredSession();
  setSession({ status: 'signed-out', notice: null });
  // The token is gone from here either way; a server out of reach lets it run out.
  await api.signOut({ token }).catch((error: Error) => console.warn(error.message));
  const { eraseDevice } = await import('#data/erase.ts');
  await eraseDevice(db);
}

/** The server no longer knows the session. Data and queue stay for when the same account returns. */
export function expireSession(notice: string, token?: string): void {
  if (token !== undefined && !holds(token)) return;
  clearStoredSession();
  if (session.status === 'signed-in') session.db.close();
  setSession({ status: 'signed-out', notice });
}

/** Whether this is still the page's token; a late answer must not end a newer session. */
function holds(token: string): boolean {
  return (
    session.status === 'loading' || (session.status === 'signed-in' && session.token === token)
  );
}

/** The database's code comes only with a session: a visitor who merely signs in does not wait for it. */
async function open(token: string, user: User): Promise<void> {
  const name = deviceDbName(user.email);
  const { openDeviceDb } = await import('#data/db.ts');
  const same = session.status === 'signed-in' && session.db.name === name ? session.db : null;
  setSession({ status: 'signed-in', token, user, db: same ?? openDeviceDb(name) });
}

function setSession(next: Session): void {
  session = next;
  for (const listener of listeners) listener();
}
