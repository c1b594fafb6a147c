import type { User } from '#contract/auth.ts';
import { deviceDbName } from '#data/account-name.ts';
import type { DeviceDb } from '#data/db.ts';
import {
  clearStoredSession,
  onTokenRemoved,
  readStoredSession,
  storeProfile,
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
  if (stored.user) await openSession(stored.token, stored.user);
  try {
    const user = await askProfile(stored.token);
    if (!user && stored.user) return;
    if (!user) throw new Error('Nobody answered');
    if (!holds(stored.token)) return;
    storeProfile(user);
    await openSession(stored.token, user);
  } catch {
    if (holds(stored.token)) expireSession('Session expired. Please login again.');
  }
}

/** Forgets the session on this device and gives what it was. */
export function closeSession(): SignedIn | null {
  if (session.status !== 'signed-in') return null;
  const ended = session;
  clearStoredSession();
  setSession({ status: 'signed-out', notice: null });
  return ended;
}

/** The server no longer knows the session. Data and queue stay for when the same account returns. */
export function expireSession(notice: string, token?: string): void {
  if (token !== undefined && !holds(token)) return;
  clearStoredSession();
  if (session.status === 'signed-in') session.db.close();
  setSession({ status: 'signed-out', notice });
}

/** The API's code comes only with a token to ask about; not getting it means that nobody answers. */
async function askProfile(token: string): Promise<User | null> {
  const code = await import('./profile.ts').catch(() => null);
  return code?.askProfile(token) ?? null;
}

/** Whether this is still the page's token; a late answer must not end a newer session. */
function holds(token: string): boolean {
  return (
    session.status === 'loading' || (session.status === 'signed-in' && session.token === token)
  );
}

/** The database's code comes only with a session: a visitor who merely signs in does not wait for it. */
export async function openSession(token: string, user: User): Promise<void> {
  const name = deviceDbName(user.email);
  const { openDeviceDb } = await import('#data/db.ts');
  const same = session.status === 'signed-in' && session.db.name === name ? session.db : null;
  setSession({ status: 'signed-in', token, user, db: same ?? openDeviceDb(name) });
}

function setSession(next: Session): void {
  session = next;
  for (const listener of listeners) listener();
}
