import { fetchCurrentUser, findCurrentUser, signOut } from '#client/api/auth.ts';
import { ApiError } from '#client/api/http.ts';
import { deviceDbName } from '#client/store/device-db-name.ts';
import type { DeviceDb } from '#client/store/schema.ts';
import type { User } from '#contract/auth.ts';
import type { TimeZone } from '#domain/zone.ts';
import { discardStartSnapshot, loadGardenSnapshot } from './garden-snapshot.ts';
import {
  clearStoredSession,
  followOtherTabs,
  isRememberedToken,
  readStoredSession,
  storeProfile,
  storeSession,
} from './stored-session.ts';
import type { StoredZone } from './zone.ts';

/**
 * Who uses this page:
 *
 *   loading      no stored token, or the server rejects it          → signed-out
 *                no stored profile, and none from the server        → signed-out
 *                stored profile, or one from the server             → signed-in
 *   signed-out   openSession, after a sign-in                       → signed-in
 *   signed-in    closeSession: the person signs out in this tab     → signed-out
 *                endSession: the person signs out in another tab    → signed-out
 *                expireSession: the server rejects the token        → signed-out
 *
 * The account's database stays on the device when a session expires; signing out deletes it (sign-out.ts).
 */
export type Session = { status: 'loading' } | SignedOut | SignedInSession;

interface SignedInSession {
  status: 'signed-in';
  token: string;
  user: User;
  /** The time zone of the user. The same object until the zone changes or its offsets are checked again. */
  zone: TimeZone;
  db: DeviceDb;
}

export type SignedIn = Session & { status: 'signed-in' };

interface SignedOut {
  status: 'signed-out';
  /** A text about the expired session, until the person dismisses it. */
  message: string | null;
  /** Whether the person signed out, in this tab or another one. */
  hasSignedOut: boolean;
}

const unauthorized = 'Authentication required';

let session: Session = { status: 'loading' };
let lastSignedIn: SignedIn | null = null;
let restoring: Promise<void> = Promise.resolve();
let keepers = 0;
/** The session that has expired while it was kept. */
let expired: { token: string; message: string } | null = null;
const listeners = new Set<() => void>();

export function getSession(): Session {
  return session;
}

/** The session, or the last one if nobody is signed in any more; null if nobody was signed in since the page loaded. */
export function getLastSignedIn(): SignedIn | null {
  return lastSignedIn;
}

/** Whether the session that opened this database has not ended. */
export function isSignedInWith(db: DeviceDb): boolean {
  return session.status === 'signed-in' && session.db === db;
}

export function subscribeSession(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * Restores the session of an earlier visit, and ends it when another tab does. `build` identifies the app's version.
 * Resolves when it is known whether somebody is signed in, which needs the server only without a stored profile. Rejects
 * if code that a signed-in person needs cannot be loaded.
 */
export async function restoreSession(build: string): Promise<void> {
  followOtherTabs((token, isSignOut) => {
    if (isSignOut) endSession(token, { message: null, hasSignedOut: true });
    else expireSession(token, unauthorized);
  }, followStoredSession);
  restoring = restore(build);
  const known = new Promise<void>((resolve) => {
    const stop = subscribeSession(() => {
      stop();
      resolve();
    });
  });
  await Promise.race([known, restoring]);
}

/**
 * With a stored profile the app opens at once, the profile is renewed later, and only an error response of the server
 * ends the session. Without a stored profile a network failure ends it too (spec section 4, Session).
 */
async function restore(build: string): Promise<void> {
  // Waits for a microtask, so that restoreSession subscribes before the first change of the session.
  await null;
  const stored = readStoredSession();
  if (!stored) return setSession({ status: 'signed-out', message: null, hasSignedOut: false });
  if (stored.user) {
    loadGardenSnapshot({ dbName: dbNameOf(stored.user), build });
    await openSession(stored.token, stored.user, stored.zone);
  }
  const profile = await findCurrentUser(stored.token).catch((): 'rejected' => 'rejected');
  if (profile === 'rejected' || !(profile ?? stored.user)) {
    return expireSession(stored.token, 'Session expired. Please login again.');
  }
  if (!profile || !isCurrentToken(stored.token)) return;
  // Changed meanwhile, so the response may be older.
  if (session.status === 'signed-in' && session.user !== stored.user) return;
  await applyProfile(stored.token, profile);
}

/**
 * Requests the profile, which may have been changed on another device. A 401 ends the session; after any other error the
 * profile stays as it is.
 */
export async function refreshProfile(): Promise<void> {
  if (session.status !== 'signed-in') return;
  const { token, user } = session;
  try {
    const profile = await fetchCurrentUser({ token });
    // The person may have signed out meanwhile, or changed the profile, so that the response may be older.
    if (session.status !== 'signed-in' || session.token !== token || session.user !== user) return;
    await applyProfile(token, profile);
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) await handleUnauthorized(token);
  }
}

/** Shows a newer profile from the server, and stores it for the next start. */
export async function applyProfile(token: string, user: User): Promise<void> {
  const { zoneOf } = await import('./zone.ts');
  const zone = zoneOf(user, currentZone());
  storeProfile(token, user, zone);
  await openSession(token, user, zone);
}

/**
 * Uses a newer token of the same account, also in the tabs that share the stored session. False if this page no longer
 * has the earlier token.
 */
export function replaceToken(earlier: string, token: string): boolean {
  if (session.status !== 'signed-in' || session.token !== earlier) return false;
  const { user, zone } = session;
  storeSession({ token, user }, isRememberedToken(earlier));
  storeProfile(token, user, zone);
  setSession({ ...session, token });
  return true;
}

/** Deletes the session from this device and returns it. */
export function closeSession(): SignedIn | null {
  if (session.status !== 'signed-in') return null;
  const ended = session;
  clearStoredSession(ended.token, { isSignOut: true });
  discardStartSnapshot();
  setSession({ status: 'signed-out', message: null, hasSignedOut: true });
  return ended;
}

/** Resolves once the server has accepted or rejected the stored session, or could not be reached. Never rejects. */
export function untilChecked(): Promise<void> {
  return restoring.catch(() => undefined);
}

/**
 * Handles a 401. At the start it waits for the response to the request for the profile, so that the message does not
 * depend on which of the two responses arrives first.
 */
export async function handleUnauthorized(token: string): Promise<void> {
  await untilChecked();
  expireSession(token, unauthorized);
}

/**
 * Until the returned function is called, a session that expires does not end, because its end would interrupt what the
 * person is doing. A sign-out ends it all the same.
 */
export function keepSession(): () => void {
  keepers += 1;
  return () => {
    keepers -= 1;
    if (keepers === 0 && expired) expireSession(expired.token, expired.message);
  };
}

/** Hides the message once the person has continued. */
export function dismissMessage(): void {
  if (session.status === 'signed-out' && session.message !== null) {
    setSession({ ...session, message: null });
  }
}

/** Ends an expired session. Data and outbox stay for the next sign-in of the same account. */
function expireSession(token: string, message: string): void {
  if (!isCurrentToken(token)) return;
  expired = keepers > 0 ? { token, message } : null;
  if (expired) return;
  clearStoredSession(token);
  endSession(token, { message, hasSignedOut: false });
}

/**
 * Shows the profile that another tab has stored. If the same account has signed in again there, this tab uses the new
 * token, so that signing out in one of the tabs still ends the session in both. The replaced token is ended on the
 * server, because no tab could do so later.
 */
async function followStoredSession(): Promise<void> {
  const stored = readStoredSession();
  if (session.status !== 'signed-in' || !stored?.user) return;
  if (dbNameOf(stored.user) !== session.db.name) return;
  if (stored.token !== session.token) {
    const { token } = session;
    // A sign-in first stores the typed email address as the profile, so this profile is not shown.
    setSession({ ...session, token: stored.token });
    // Without a network, or if another tab has ended it already, there is nothing to do.
    return signOut({ token }).catch(() => undefined);
  }
  const { user, zone } = stored;
  const { zoneOf } = await import('./zone.ts');
  // The person may have signed out meanwhile.
  if (session.status !== 'signed-in' || session.token !== stored.token) return;
  setSession({ ...session, user, zone: zoneOf(user, session.zone, zone) });
}

function endSession(token: string, reason: Omit<SignedOut, 'status'>): void {
  if (!isCurrentToken(token)) return;
  if (session.status === 'signed-in') session.db.close();
  discardStartSnapshot();
  setSession({ status: 'signed-out', ...reason });
}

/** False if the page has another token or none: a late response must not end a newer session. True while loading. */
function isCurrentToken(token: string): boolean {
  return (
    session.status === 'loading' || (session.status === 'signed-in' && session.token === token)
  );
}

/**
 * Makes this the session of the page. Loads the code of the database and of time zones only now, so that a visitor does
 * not wait for it. Has no effect if the session that is being restored or renewed ends meanwhile. `stored`: the offsets
 * of the user's time zone, if they are known.
 */
export async function openSession(token: string, user: User, stored?: StoredZone): Promise<void> {
  const name = dbNameOf(user);
  const wasCurrent = isCurrentToken(token);
  const [{ openDeviceDb }, { zoneOf }] = await Promise.all([
    import('#client/store/database.ts'),
    import('./zone.ts'),
  ]);
  // The session may have ended meanwhile, also in another tab.
  if (wasCurrent && !isCurrentToken(token)) return;
  const zone = zoneOf(user, currentZone(), stored);
  const same = session.status === 'signed-in' && session.db.name === name ? session.db : null;
  setSession({ status: 'signed-in', token, user, zone, db: same ?? openDeviceDb(name) });
}

function currentZone(): TimeZone | null {
  return session.status === 'signed-in' ? session.zone : null;
}

/** An account keeps its database on this device when its email address changes. */
function dbNameOf({ device_key, email }: User): string {
  return deviceDbName(device_key ?? email);
}

function setSession(next: Session): void {
  session = next;
  if (next.status === 'signed-in') lastSignedIn = next;
  for (const listener of listeners) listener();
}
