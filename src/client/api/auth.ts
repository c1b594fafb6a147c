import * as v from 'valibot';
import {
  currentUserRequest,
  forgotPasswordRequest,
  type LoginPayload,
  type LoginResponse,
  loginRequest,
  loginResponseSchema,
  logoutRequest,
  type RegisterPayload,
  type ResetPasswordPayload,
  registerRequest,
  registerResponseSchema,
  resetPasswordRequest,
  type User,
  userSchema,
} from '#contract/auth.ts';
import { isWellFormedToken } from '#domain/account.ts';
import { ApiError, anyJson, sendRequest } from './http.ts';
import type { RequestOptions } from './send.ts';

const unknownError = { fallback: 'An unknown error occurred' };

/**
 * Signs in with these credentials. A malformed token in the response is an error, because readStoredSession would not
 * accept it. Throws ApiError.
 */
export async function signIn(
  payload: LoginPayload,
  call: RequestOptions = {},
): Promise<LoginResponse> {
  const body = await sendRequest(loginRequest(payload), call, v.unknown(), {
    fallback: 'An unknown error occurred during login',
    callName: 'Login',
    byStatus: {
      401: 'Invalid username/email or password',
      403: 'Email not verified. Please check your email for a verification link.',
    },
  });
  const parsed = v.safeParse(loginResponseSchema, body);
  if (!parsed.success || !isWellFormedToken(parsed.output.access_token)) {
    throw new ApiError('Invalid response from server', null, true);
  }
  return parsed.output;
}

/** Creates an account; its email address has to be verified by a link. Throws ApiError. */
export async function register(payload: RegisterPayload, call: RequestOptions = {}): Promise<void> {
  await sendRequest(registerRequest(payload), call, registerResponseSchema, {
    fallback: 'An unknown error occurred during registration',
  });
}

/** Requests a reset link by email; the response never says whether the account exists. Throws ApiError. */
export async function requestPasswordReset(
  email: string,
  call: RequestOptions = {},
): Promise<void> {
  await sendRequest(
    forgotPasswordRequest({ username_or_email: email }),
    call,
    anyJson,
    unknownError,
  );
}

/** Sets a new password with the token of an emailed link. Throws ApiError. */
export async function resetPassword(
  payload: ResetPasswordPayload,
  call: RequestOptions = {},
): Promise<void> {
  await sendRequest(resetPasswordRequest(payload), call, anyJson, unknownError);
}

/** The user that the token belongs to. Throws ApiError. */
export async function fetchCurrentUser(call: RequestOptions): Promise<User> {
  if (!call.token) throw new ApiError('No authentication token found', 401, false);
  return sendRequest(currentUserRequest(), call, userSchema, {
    fallback: 'Session expired. Please login again.',
  });
}

/** The user of a token; null without a usable response. Throws ApiError for a 401 and any other error of the server. */
export async function findCurrentUser(token: string): Promise<User | null> {
  return fetchCurrentUser({ token }).catch((error: unknown) => {
    if (error instanceof ApiError && error.status === null) return null;
    throw error;
  });
}

/** Ends the session on the server. Throws ApiError; the caller clears the token in any case. */
export async function signOut(call: RequestOptions): Promise<void> {
  await sendRequest(logoutRequest(), call, anyJson, {
    fallback: 'An unknown error occurred during logout',
  });
}
