import { ApiFailure } from '#api/ask.ts';

/** Why signing in failed, in the words to show (spec section 8, Authentication). */
export class SignInError extends Error {
  /** Nobody answered: it is not the credentials. */
  readonly isUnreachable: boolean;

  constructor(cause: unknown) {
    const fromServer = cause instanceof ApiFailure && cause.fromServer;
    super(
      fromServer
        ? cause.message
        : 'Failed to sign in. Please check your credentials and try again.',
    );
    this.isUnreachable = cause instanceof ApiFailure && cause.status === null && !cause.fromServer;
  }
}
