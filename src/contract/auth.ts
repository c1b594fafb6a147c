import * as v from 'valibot';
import { accountLimits, emailProblem, minPasswordLength } from '#domain/account.ts';
import { type ApiRequest, request } from './request.ts';

export const authPaths = {
  login: '/auth/login',
  logout: '/auth/logout',
  me: '/auth/me',
  register: '/auth/register',
  verifyEmail: '/auth/verify-email',
  forgotPassword: '/auth/forgot-password',
  resetPassword: '/auth/reset-password',
} as const;

const identifier = v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(accountLimits.email));

export function newPassword(tooShort: string) {
  return v.pipe(
    v.string(),
    v.minLength(minPasswordLength, tooShort),
    v.maxLength(accountLimits.password),
  );
}

export interface LoginPayload {
  username_or_email: string;
  password: string;
  rememberMe: boolean;
}

export const loginPayloadSchema: v.GenericSchema<unknown, LoginPayload> = v.object({
  username_or_email: identifier,
  password: v.pipe(v.string(), v.minLength(1), v.maxLength(accountLimits.password)),
  rememberMe: v.optional(v.boolean(), false),
});

export interface LoginResponse {
  access_token: string;
  /** As in the profile, for a device that cannot load the profile. Missing in responses of older servers. */
  device_key?: string | undefined;
}

export const loginResponseSchema: v.GenericSchema<unknown, LoginResponse> = v.looseObject({
  access_token: v.pipe(v.string(), v.minLength(1)),
  device_key: v.optional(v.string()),
});

export interface RegisterPayload {
  /** The person's full name. */
  username: string;
  email: string;
  password: string;
}

export const emailSchema = v.pipe(
  v.string(),
  v.trim(),
  v.maxLength(accountLimits.email),
  v.rawCheck(({ dataset, addIssue }) => {
    // A text that is too long already has an error.
    if (!dataset.typed || dataset.issues) return;
    const message = emailProblem(dataset.value);
    if (message) addIssue({ message });
  }),
);

export const registerPayloadSchema: v.GenericSchema<unknown, RegisterPayload> = v.object({
  username: v.pipe(
    v.string(),
    v.trim(),
    v.minLength(1, 'Name is required'),
    v.maxLength(accountLimits.name),
  ),
  email: emailSchema,
  password: newPassword('Password must be at least 8 characters'),
});

/** The same for every email address, so that the response does not reveal who has an account. */
export interface RegisterResponse {
  message: string;
}

export const registerResponseSchema: v.GenericSchema<unknown, object> = v.looseObject({});

export interface ForgotPasswordPayload {
  username_or_email: string;
}

export const forgotPasswordPayloadSchema: v.GenericSchema<unknown, ForgotPasswordPayload> =
  v.object({ username_or_email: identifier });

export interface ResetPasswordPayload {
  /** From the `token` parameter of the emailed link. */
  token: string;
  password: string;
}

export const resetPasswordPayloadSchema: v.GenericSchema<unknown, ResetPasswordPayload> = v.object({
  token: v.pipe(v.string(), v.minLength(1, 'Invalid or missing reset token'), v.maxLength(200)),
  password: newPassword('Password must be at least 8 characters long'),
});

export interface User {
  username: string;
  email: string;
  is_verified: boolean;
  /** An IANA name. Null, or missing in responses of older servers, means UTC+7. */
  time_zone?: string | null | undefined;
  /**
   * Devices use it to name their database of this account. It is the account's first email address, followed by its id
   * if another account had this address before. Missing in responses of older servers, where an address cannot change.
   */
  device_key?: string | undefined;
}

export const userSchema: v.GenericSchema<unknown, User> = v.object({
  username: v.string(),
  email: v.string(),
  is_verified: v.boolean(),
  time_zone: v.nullish(v.string()),
  device_key: v.optional(v.string()),
});

export function loginRequest(payload: LoginPayload): ApiRequest {
  return request('POST', authPaths.login, { body: payload });
}

export function registerRequest(payload: RegisterPayload): ApiRequest {
  return request('POST', authPaths.register, { body: payload });
}

export function forgotPasswordRequest(payload: ForgotPasswordPayload): ApiRequest {
  return request('POST', authPaths.forgotPassword, { body: payload });
}

export function resetPasswordRequest(payload: ResetPasswordPayload): ApiRequest {
  return request('POST', authPaths.resetPassword, { body: payload });
}

export function logoutRequest(): ApiRequest {
  return request('POST', authPaths.logout);
}

export function currentUserRequest(): ApiRequest {
  return request('GET', authPaths.me);
}
