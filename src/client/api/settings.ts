import { type User, userSchema } from '#contract/auth.ts';
import {
  type AccountSession,
  accountSessionsSchema,
  changeEmailRequest,
  changePasswordRequest,
  changeProfileRequest,
  type EmailPayload,
  endOtherSessionsRequest,
  endSessionRequest,
  type PasswordPayload,
  type ProfilePayload,
  sessionsRequest,
} from '#contract/settings/profile.ts';
import { anyJson, sendRequest } from './http.ts';
import type { RequestOptions } from './send.ts';

const notSaved = { fallback: 'This could not be saved' };

/** Changes the given fields of the profile, and returns the whole profile. Throws ApiError, like all functions here. */
export function changeProfile(payload: ProfilePayload, call: RequestOptions): Promise<User> {
  return sendRequest(changeProfileRequest(payload), call, userSchema, notSaved);
}

/** Lets the server send a confirmation link to the new email address. */
export async function changeEmail(payload: EmailPayload, call: RequestOptions): Promise<void> {
  await sendRequest(changeEmailRequest(payload), call, anyJson, notSaved);
}

/** Changes the password, which ends all other sessions. */
export async function changePassword(
  payload: PasswordPayload,
  call: RequestOptions,
): Promise<void> {
  await sendRequest(changePasswordRequest(payload), call, anyJson, notSaved);
}

export function fetchSessions(call: RequestOptions): Promise<AccountSession[]> {
  const fallback = 'Failed to load sessions';
  return sendRequest(sessionsRequest(), call, accountSessionsSchema, { fallback });
}

export async function endSession(id: string, call: RequestOptions): Promise<void> {
  const fallback = 'Failed to end the session';
  await sendRequest(endSessionRequest(id), call, anyJson, { fallback });
}

export async function endOtherSessions(call: RequestOptions): Promise<void> {
  const fallback = 'Failed to end the other sessions';
  await sendRequest(endOtherSessionsRequest(), call, anyJson, { fallback });
}
