import { ApiError } from '#client/api/http.ts';
import * as api from '#client/api/settings.ts';
import type { ProfilePayload } from '#contract/settings/profile.ts';
import { getSession, renewProfile } from './session.ts';
import { asSignedIn } from './signed-in-call.ts';

const notSaved = 'This could not be saved';

/** Throws an AccountError with the message to show, like all functions here. */
export async function changeName(name: string): Promise<void> {
  await changeProfile({ username: name.trim() });
}

/** `name`: an IANA name; null for UTC+7. All dates on the screens change at once. */
export async function changeTimeZone(name: string | null): Promise<void> {
  await changeProfile({ time_zone: name });
}

let lastChange: Promise<void> = Promise.resolve();

/** One change at a time: each response contains the whole profile, so an older one must not arrive last. */
function changeProfile(payload: ProfilePayload): Promise<void> {
  const before = lastChange;
  const saved = asSignedIn(async (call) => {
    await before;
    const profile = await api.changeProfile(payload, call);
    const session = getSession();
    // The person may have signed out meanwhile.
    if (session.status !== 'signed-in' || session.token !== call.token) return;
    await renewProfile(call.token, profile);
  }, notSaved);
  lastChange = saved.catch(() => undefined);
  return saved;
}

/**
 * Sends a confirmation link to the new email address. The account uses this address once the link has been opened.
 * `password`: the current one.
 */
export async function changeEmail(email: string, password: string): Promise<void> {
  await asSignedIn((call) => api.changeEmail({ email: email.trim(), password }, call), notSaved);
}

/** Ends all other sessions of the account. `password`: the current one. */
export async function changePassword(password: string, newPassword: string): Promise<void> {
  const payload = { password, new_password: newPassword };
  await asSignedIn((call) => api.changePassword(payload, call), notSaved);
}

/** A browser that is signed in to the account. */
export interface SignedInBrowser {
  /** The session's id. */
  key: string;
  /** Browser and system in words, e.g. 'Chrome on Android'. */
  name: string;
  /** ms */
  signedInAt: number;
  isThisOne: boolean;
}

/** This browser first, then the others, newest first. */
export async function loadBrowsers(): Promise<SignedInBrowser[]> {
  const sessions = await asSignedIn(api.fetchSessions, 'Failed to load sessions');
  return sessions
    .map(({ id, client, created_at, is_current }) => ({
      key: id,
      name: client ?? 'Unknown browser',
      signedInAt: Date.parse(created_at),
      isThisOne: is_current,
    }))
    .sort((a, b) => Number(b.isThisOne) - Number(a.isThisOne) || b.signedInAt - a.signedInAt);
}

/** Also succeeds if that session has already ended. */
export async function signOutBrowser({ key }: SignedInBrowser): Promise<void> {
  const end = (call: { token: string }) =>
    api.endSession(key, call).catch((error: unknown) => {
      if (!(error instanceof ApiError && error.status === 404)) throw error;
    });
  await asSignedIn(end, 'Failed to sign out that browser');
}

export async function signOutOtherBrowsers(): Promise<void> {
  await asSignedIn(api.endOtherSessions, 'Failed to sign out the other browsers');
}
