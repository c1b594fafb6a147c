import { deviceDbName } from '#client/store/account-name.ts';
import type { DeviceDb } from '#client/store/schema.ts';
import type { User } from '#contract/auth.ts';
import { endStart, loadKeptGarden } from './kept-garden.ts';
import {
  clearStoredSession,
  onTokenRemoved,
  readStoredSession,
  storeProfile,
} from './stored-session.ts';

/** Who uses this page. The database is the account's own; it stays on the device when a session merely ends. */
export type Session =
  | { status: 'loading' }
  | SignedOut
  | { status: 'signed-in'; token: string; user: User; db: DeviceDb };

export type SignedIn = Session & { status: 'signed-in' };

interface SignedOut {
  status: 'signed-out';
  /** Why the session expired, until the person dismisses it. */
  notice: string | null;
  /** By Sign Out, here or in another tab. */
  hasLeft: boolean;
}

const unauthorized = 'Authentication required';

let session: Session = { status: 'loading' };
let restoring: Promise<void> = Promise.resolve();
const listeners = new Set<() => void>();

export function getSession(): Session {
  return session;
}

export function subscribeSession(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * Restores the session of an earlier visit, and follows what other tabs do to it. `build` names the app's version.
 * Resolves when it is known whether somebody is signed in, which needs the server only without a stored profile.
 */
export async function restoreSession(build: string): Promise<void> {
  onTokenRemoved((token, isSignOut) => {
    if (isSignOut) endSession(token, { notice: null, hasLeft: true });
    else expireSession(token, unauthorized);
  });
  restoring = restore(build);
  await new Promise<void>((resolve) => {
    const stop = subscribeSession(() => {
      stop();
      resolve();
    });
  });
}

/**
 * With a kept profile the app opens at once and the server's word follows; only a refusal ends the session, a missing
 * network never does.
 */
async function restore(build: string): Promise<void> {
  // Nobody can have subscribed yet.
  await null;
  const stored = readStoredSession();
  if (!stored) return setSession({ status: 'signed-out', notice: null, hasLeft: false });
  if (stored.user) {
    loadKeptGarden({ dbName: deviceDbName(stored.user.email), build });
    await openSession(stored.token, stored.user);
  }
  const answer = await askProfile(stored.token).catch((): 'refused' => 'refused');
  if (answer === 'refused' || !(answer ?? stored.user)) {
    return expireSession(stored.token, 'Session expired. Please login again.');
  }
  if (!answer || !holds(stored.token)) return;
  storeProfile(answer);
  await openSession(stored.token, answer);
}

/** Forgets the session on this device and gives what it was. */
export function closeSession(): SignedIn | null {
  if (session.status !== 'signed-in') return null;
  const ended = session;
  clearStoredSession({ isSignOut: true });
  endStart();
  setSession({ status: 'signed-out', notice: null, hasLeft: true });
  return ended;
}

/**
 * Handles a 401. While the profile of the start is being requested, its response decides, so that the notice does not
 * depend on which of the two responses comes first.
 */
export async function refuseToken(token: string): Promise<void> {
  await restoring;
  expireSession(token, unauthorized);
}

/** The person has gone on to something else. */
export function dismissNotice(): void {
  if (session.status === 'signed-out' && session.notice !== null) {
    setSession({ ...session, notice: null });
  }
}

/** The session has expired. Data and outbox are kept for the next sign-in of the same account. */
function expireSession(token: string, notice: string): void {
  if (!holds(token)) return;
  clearStoredSession();
  endSession(token, { notice, hasLeft: false });
}

function endSession(token: string, how: Omit<SignedOut, 'status'>): void {
  if (!holds(token)) return;
  if (session.status === 'signed-in') session.db.close();
  endStart();
  setSession({ status: 'signed-out', ...how });
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
  const { openDeviceDb } = await import('#client/store/database.ts');
  const same = session.status === 'signed-in' && session.db.name === name ? session.db : null;
  setSession({ status: 'signed-in', token, user, db: same ?? openDeviceDb(name) });
}

function setSession(next: Session): void {
  session = next;
  for (const listener of listeners) listener();
}
