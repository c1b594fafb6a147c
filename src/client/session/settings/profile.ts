import { signIn, signOut } from '#client/api/auth.ts';
import { anyJson, sendRequest } from '#client/api/http.ts';
import { userSchema } from '#contract/auth.ts';
import {
  accountSessionsSchema,
  changeEmailRequest,
  changePasswordRequest,
  changeProfileRequest,
  endOtherSessionsRequest,
  endSessionRequest,
  type ProfilePayload,
  sessionsRequest,
} from '#contract/settings/profile.ts';
import { AccountError } from '../account.ts';
import { applyProfile, getSession, isSignedInWith, replaceToken } from '../session.ts';
import { asSignedIn, callSignedIn, removeSignedIn } from '../signed-in-call.ts';
import { isRememberedToken } from '../stored-session.ts';

const notSaved = 'This could not be saved';

/** Throws an AccountError with the message to show, like all functions here. */
export async function changeName(name: string): Promise<void> {
  await changeProfile({ username: name.trim() });
}

/** `name`: an IANA name; null for UTC+7. All dates on the screens change at once. */
export async function changeTimeZone(name: string | null): Promise<void> {
  await changeProfile({ time_zone: name });
}

async function changeProfile(payload: ProfilePayload): Promise<void> {
  await queueChange(async (call) => {
    const request = changeProfileRequest(payload);
    const profile = await sendRequest(request, call, userSchema, { fallback: notSaved });
    const session = getSession();
    // The person may have signed out meanwhile.
    if (session.status !== 'signed-in' || session.token !== call.token) return;
    await applyProfile(call.token, profile);
  });
}

let lastChange: Promise<void> = Promise.resolve();

/**
 * Calls the API for one change of the profile or the password at a time: each response to a change of the profile
 * contains the whole profile, so an older one must not arrive last, and a new password replaces the token that the
 * others are sent with.
 */
function queueChange(change: (call: { token: string }) => Promise<void>): Promise<void> {
  const atStart = getSession();
  const changed = lastChange.then(() => {
    // Another person may have signed in while this change was waiting.
    const isSame = atStart.status === 'signed-in' && isSignedInWith(atStart.db);
    if (!isSame) throw new AccountError(null, notSaved);
    return asSignedIn(change, notSaved);
  });
  lastChange = changed.catch(() => undefined);
  return changed;
}

/**
 * Sends a confirmation link to the new email address. The account uses this address once the link has been opened.
 * `password`: the current one.
 */
export async function changeEmail(email: string, password: string): Promise<void> {
  const request = changeEmailRequest({ email: email.trim(), password });
  await callSignedIn(request, anyJson, notSaved);
}

/** Ends all other sessions of the account, and replaces the session of this browser. `password`: the current one. */
export async function changePassword(password: string, newPassword: string): Promise<void> {
  const request = changePasswordRequest({ password, new_password: newPassword });
  await queueChange(async (call) => {
    await sendRequest(request, call, anyJson, { fallback: notSaved });
    await replaceSession(newPassword);
  });
}

/**
 * Signs in again and ends the session so far, because its token may have been copied. Without a response the session
 * stays as it is: the server ends only the other ones when the password changes, so that nobody is signed out by a
 * lost response.
 */
async function replaceSession(password: string): Promise<void> {
  const session = getSession();
  if (session.status !== 'signed-in') return;
  const { token, user } = session;
  const payload = { username_or_email: user.email, password, rememberMe: isRememberedToken(token) };
  const response = await signIn(payload).catch(() => null);
  if (!response) return;
  // The person may have signed out meanwhile.
  const isReplaced = replaceToken(token, response.access_token);
  const ended = isReplaced ? token : response.access_token;
  await signOut({ token: ended }).catch(() => undefined);
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
  const fallback = 'Failed to load sessions';
  const sessions = await callSignedIn(sessionsRequest(), accountSessionsSchema, fallback);
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
  await removeSignedIn(endSessionRequest(key), 'Failed to sign out that browser');
}

export async function signOutOtherBrowsers(): Promise<void> {
  const fallback = 'Failed to sign out the other browsers';
  await callSignedIn(endOtherSessionsRequest(), anyJson, fallback);
}
