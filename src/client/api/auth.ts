import * as v from 'valibot';
import {
  currentUserRequest,
  forgotPasswordRequest,
  type LoginPayload,
  loginAnswerSchema,
  loginRequest,
  logoutRequest,
  type RegisterPayload,
  type ResetPasswordPayload,
  registerAnswerSchema,
  registerRequest,
  resetPasswordRequest,
  type User,
  userSchema,
} from '#contract/auth.ts';
import { isWellFormedToken } from '#domain/account.ts';
import { ApiError, anyJson, sendRequest } from './http.ts';
import type { RequestOptions } from './send.ts';

const unknownError = { fallback: 'An unknown error occurred' };

/** The access token for these credentials, of the one form that a later visit accepts. Throws ApiError. */
export async function signIn(payload: LoginPayload, call: RequestOptions = {}): Promise<string> {
  const answer = await sendRequest(loginRequest(payload), call, v.unknown(), {
    fallback: 'An unknown error occurred during login',
    callName: 'Login',
    byStatus: {
      401: 'Invalid username/email or password',
      403: 'Email not verified. Please check your email for a verification link.',
    },
  });
  const parsed = v.safeParse(loginAnswerSchema, answer);
  const token = parsed.success ? parsed.output.access_token : '';
  if (!isWellFormedToken(token)) throw new ApiError('Invalid response from server', null, true);
  return token;
}

/** Asks for an account, whose address is verified by mail. Throws ApiError. */
export async function register(payload: RegisterPayload, call: RequestOptions = {}): Promise<void> {
  await sendRequest(registerRequest(payload), call, registerAnswerSchema, {
    fallback: 'An unknown error occurred during registration',
  });
}

/** Asks for a reset link by mail; the answer never says whether there is an account. Throws ApiError. */
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

/** Sets a new password by the token of a mailed link. Throws ApiError. */
export async function resetPassword(
  payload: ResetPasswordPayload,
  call: RequestOptions = {},
): Promise<void> {
  await sendRequest(resetPasswordRequest(payload), call, anyJson, unknownError);
}

/** Who the token belongs to. Throws ApiError. */
export async function fetchCurrentUser(call: RequestOptions): Promise<User> {
  if (!call.token) throw new ApiError('No authentication token found', 401, false);
  return sendRequest(currentUserRequest(), call, userSchema, {
    fallback: 'Session expired. Please login again.',
  });
}

/** Ends the session on the server. Throws ApiError; the caller clears the token either way. */
export async function signOut(call: RequestOptions): Promise<void> {
  await sendRequest(logoutRequest(), call, anyJson, {
    fallback: 'An unknown error occurred during logout',
  });
}
