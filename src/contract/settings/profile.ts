import * as v from 'valibot';
import { accountLimits } from '#domain/account.ts';
import { isTimeZone } from '#domain/zone.ts';
import { emailSchema, newPassword } from '../auth.ts';
import { type ApiRequest, pathFor, request } from '../request.ts';

export const profilePaths = {
  profile: '/auth/me',
  email: '/auth/email',
  /** The link that is sent to a new email address; redirects to the settings. */
  confirmEmail: '/auth/confirm-email',
  password: '/auth/password',
  sessions: '/auth/sessions',
  session: '/auth/sessions/:id',
} as const;

const typedPassword = v.pipe(
  v.string(),
  v.minLength(1, 'Password is required'),
  v.maxLength(accountLimits.password),
);

/** The payload of PATCH /auth/me: the fields to change. */
export interface ProfilePayload {
  username?: string | undefined;
  /** An IANA name; null for UTC+7. */
  time_zone?: string | null | undefined;
}

export const profilePayloadSchema: v.GenericSchema<unknown, ProfilePayload> = v.object({
  username: v.optional(
    v.pipe(
      v.string(),
      v.trim(),
      v.minLength(1, 'Name is required'),
      v.maxLength(accountLimits.name),
    ),
  ),
  time_zone: v.optional(
    v.nullable(
      v.pipe(v.string(), v.maxLength(100), v.check(isTimeZone, 'This time zone is not known')),
    ),
  ),
});

export interface EmailPayload {
  email: string;
  /** The current one. */
  password: string;
}

/**
 * The payload of POST /auth/email, which sends a link to the new address. The address changes when the link is opened.
 */
export const emailPayloadSchema: v.GenericSchema<unknown, EmailPayload> = v.object({
  email: emailSchema,
  password: typedPassword,
});

export interface PasswordPayload {
  /** The current one. */
  password: string;
  new_password: string;
}

/** The payload of POST /auth/password, which also ends all other sessions of the account. */
export const passwordPayloadSchema: v.GenericSchema<unknown, PasswordPayload> = v.object({
  password: typedPassword,
  new_password: newPassword('Password must be at least 8 characters long'),
});

/** A session of the account: a browser that is signed in. */
export interface AccountSession {
  id: string;
  /** ISO 8601 UTC */
  created_at: string;
  /** ISO 8601 UTC */
  expires_at: string;
  /** Browser and system in words, e.g. 'Chrome on Android'; null if unknown. */
  client: string | null;
  is_current: boolean;
}

export const accountSessionsSchema: v.GenericSchema<unknown, AccountSession[]> = v.array(
  v.looseObject({
    id: v.string(),
    created_at: v.string(),
    expires_at: v.string(),
    client: v.nullable(v.string()),
    is_current: v.boolean(),
  }),
);

export function changeProfileRequest(payload: ProfilePayload): ApiRequest {
  return request('PATCH', profilePaths.profile, { body: payload });
}

export function changeEmailRequest(payload: EmailPayload): ApiRequest {
  return request('POST', profilePaths.email, { body: payload });
}

export function changePasswordRequest(payload: PasswordPayload): ApiRequest {
  return request('POST', profilePaths.password, { body: payload });
}

export function sessionsRequest(): ApiRequest {
  return request('GET', profilePaths.sessions);
}

export function endSessionRequest(id: string): ApiRequest {
  return request('DELETE', pathFor(profilePaths.session, id));
}

/** Ends all sessions but the current one. */
export function endOtherSessionsRequest(): ApiRequest {
  return request('DELETE', profilePaths.sessions);
}
