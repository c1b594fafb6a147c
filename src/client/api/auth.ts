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
import { ApiFailure, anyJson, ask } from './http.ts';
import type { Call } from './send.ts';

const unknownError = { fallback: 'An unknown error occurred' };

/** The access token for these credentials, of the one form that a later visit accepts. Throws ApiFailure. */
export async function signIn(payload: LoginPayload, call: Call = {}): Promise<string> {
  const answer = await ask(loginRequest(payload), call, v.unknown(), {
    fallback: 'An unknown error occurred during login',
    callName: 'Login',
    byStatus: {
      401: 'Invalid username/email or password',
      403: 'Email not verified. Please check your email for a verification link.',
    },
  });
  const parsed = v.safeParse(loginAnswerSchema, answer);
  const token = parsed.success ? parsed.output.access_token : '';
  if (!isWellFormedToken(token)) throw new ApiFailure('Invalid response from server', null, true);
  return token;
}

/** Asks for an account, whose address is verified by mail. Throws ApiFailure. */
export async function register(payload: RegisterPayload, call: Call = {}): Promise<void> {
  await ask(registerRequest(payload), call, registerAnswerSchema, {
    fallback: 'An unknown error occurred during registration',
  });
}

/** Asks for a reset link by mail; the answer never says whether there is an account. Throws ApiFailure. */
export async function requestPasswordReset(email: string, call: Call = {}): Promise<void> {
  await ask(forgotPasswordRequest({ username_or_email: email }), call, anyJson, unknownError);
}

/** Sets a new password by the token of a mailed link. Throws ApiFailure. */
export async function resetPassword(payload: ResetPasswordPayload, call: Call = {}): Promise<void> {
  await ask(resetPasswordRequest(payload), call, anyJson, unknownError);
}

/** Who the token belongs to. Throws ApiFailure. */
export async function fetchCurrentUser(call: Call): Promise<User> {
  if (!call.token) throw new ApiFailure('No authentication token found', 401, false);
  return ask(currentUserRequest(), call, userSchema, {
    fallback: 'Session expired. Please login again.',
  });
}

/** Ends the session on the server. Throws ApiFailure; the caller clears the token either way. */
export async function signOut(call: Call): Promise<void> {
  await ask(logoutRequest(), call, anyJson, {
    fallback: 'An unknown error occurred during logout',
  });
}
