import * as api from '#client/api/auth.ts';
import { AccountError } from './account-error.ts';

const unknownError = 'An unknown error occurred';

/** Asks for an account, to be verified by mail; throws an AccountError with the words to show. */
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

/** Asks for a reset link by mail; throws an AccountError with the words to show. */
export async function requestPasswordReset(form: { email: string }): Promise<void> {
  await api.requestPasswordReset(form.email.trim()).catch(asAccountError(unknownError));
}

/** Sets a new password by a mailed link's token; throws an AccountError with the words to show. */
export async function resetPassword(form: { token: string; password: string }): Promise<void> {
  const { token, password } = form;
  await api.resetPassword({ token, password }).catch(asAccountError(unknownError));
}

function asAccountError(fallback: string): (error: unknown) => never {
  return (error) => {
    throw new AccountError(error, fallback);
  };
}
