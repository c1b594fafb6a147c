import * as api from '#client/api/auth.ts';
import { ApiError } from '#client/api/http.ts';
import { applyProfile, openSession } from './session.ts';
import { clearStoredSession, storeSession } from './stored-session.ts';

const unknownError = 'An unknown error occurred';

/** Creates an account, which the person then verifies by email. Throws an AccountError with the message to show. */
export async function signUp(form: {
  name: string;
  email: string;
  password: string;
}): Promise<void> {
  const { name, email, password } = form;
  await api
    .register({ username: name.trim(), email: email.trim(), password })
    .catch(asAccountError('Failed to create account. Please try again.'));
}

/** Requests a reset link by email. Throws an AccountError with the message to show. */
export async function requestPasswordReset(form: { email: string }): Promise<void> {
  await api.requestPasswordReset(form.email.trim()).catch(asAccountError(unknownError));
}

/** Sets a new password with the token of a link from an email. Throws an AccountError with the message to show. */
export async function resetPassword(form: { token: string; password: string }): Promise<void> {
  const { token, password } = form;
  await api.resetPassword({ token, password }).catch(asAccountError(unknownError));
}

function asAccountError(fallback: string): (error: unknown) => never {
  return (error) => {
    throw new AccountError(error, fallback);
  };
}

const signInFailed = 'Failed to sign in. Please check your credentials and try again.';

/**
 * Signs in and loads the profile. The token is stored first, so that the person stays signed in if the page is closed
 * before the profile arrives. If the profile cannot be loaded, the typed email address is shown instead. Throws an
 * AccountError with the message to show. If the app's code cannot be loaded, the session is ended, because the form
 * still asks for the password.
 */
export async function signIn(form: {
  email: string;
  password: string;
  rememberMe: boolean;
}): Promise<void> {
  const email = form.email.trim();
  const { password, rememberMe } = form;
  const { access_token: token, device_key } = await api
    .signIn({ username_or_email: email, password, rememberMe })
    .catch((error: unknown) => {
      throw new AccountError(error, signInFailed);
    });
  const typed = { username: email, email, is_verified: false, device_key };
  storeSession({ token, user: typed }, rememberMe);
  const profile = await api.fetchCurrentUser({ token }).catch(() => null);
  try {
    await (profile ? applyProfile(token, profile) : openSession(token, typed));
  } catch (error) {
    clearStoredSession(token, { isSignOut: true });
    // Without a network the session ends on the server when it expires.
    api.signOut({ token }).catch(() => undefined);
    throw new AccountError(error, signInFailed);
  }
}

/**
 * A failed action outside of sync, such as signing in or saving a setting. Its message is shown to the person (spec
 * section 8, Authentication).
 */
export class AccountError extends Error {
  /**
   * True only if there was no usable response. The input is then not the reason for the failure. False for the error
   * page of a gateway.
   */
  readonly isUnreachable: boolean;
  /**
   * The HTTP status; null without an error response, or if a gateway sent it instead of the server. It is 401 even
   * if a gateway sent that.
   */
  readonly status: number | null;
  /**
   * Whether the server may have executed the request although its response did not arrive, because the network was lost
   * after sending or a gateway responded instead. A response with Retry-After, e.g. of a busy server, means that it was
   * not executed.
   */
  readonly mayHaveSucceeded: boolean;

  /** `wasOnline`: whether the device was online when the request was sent. */
  constructor(cause: unknown, fallback: string, wasOnline = true) {
    const describesResponse = cause instanceof ApiError && cause.describesResponse;
    super((describesResponse && cause.message) || fallback);
    const hasNoResponse = cause instanceof ApiError && cause.status === null;
    this.isUnreachable = hasNoResponse && !describesResponse;
    this.mayHaveSucceeded = hasNoResponse && wasOnline && cause.retryAfterMs === null;
    this.status = describesResponse ? cause.status : null;
  }
}
