import { ApiError } from '#client/api/http.ts';

/** Why signing in, signing up or a new password failed, in the words to show (spec section 8, Authentication). */
export class AccountError extends Error {
  /** Nobody answered: it is not what was typed. */
  readonly isUnreachable: boolean;
  /** Of the server's refusal; null when the words are not its own. */
  readonly status: number | null;

  constructor(cause: unknown, fallback: string) {
    const fromServer = cause instanceof ApiError && cause.fromServer;
    super((fromServer && cause.message) || fallback);
    this.isUnreachable = cause instanceof ApiError && cause.status === null && !fromServer;
    this.status = fromServer ? cause.status : null;
  }
}
