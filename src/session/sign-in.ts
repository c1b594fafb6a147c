import * as api from '#api/auth.ts';
import { AccountError } from './account-error.ts';
import { openSession } from './session.ts';
import { storeSession } from './stored-session.ts';

const fallback = 'Failed to sign in. Please check your credentials and try again.';

/** Signs in and loads the profile; throws an AccountError with the words to show. */
export async function signIn(form: {
  email: string;
  password: string;
  rememberMe: boolean;
}): Promise<void> {
  const email = form.email.trim();
  const { password, rememberMe } = form;
  const token = await api
    .signIn({ username_or_email: email, password, rememberMe })
    .catch((error: unknown) => {
      throw new AccountError(error, fallback);
    });
  const user = await api
    .fetchCurrentUser({ token })
    .catch(() => ({ username: email, email, is_verified: false }));
  storeSession({ token, user }, rememberMe);
  await openSession(token, user);
}
