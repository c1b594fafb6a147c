import * as api from '#client/api/auth.ts';
import { AccountError } from './account-error.ts';
import { openSession } from './session.ts';
import { storeProfile, storeSession } from './stored-session.ts';

const fallback = 'Failed to sign in. Please check your credentials and try again.';

/**
 * Signs in and loads the profile. The token is stored before the profile is requested, so that a page closed in
 * between is signed in when it opens again; if the profile cannot be loaded, the typed email replaces it. Throws an
 * AccountError with the message to show.
 */
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
  const typed = { username: email, email, is_verified: false };
  storeSession({ token, user: typed }, rememberMe);
  const profile = await api.fetchCurrentUser({ token }).catch(() => null);
  if (profile) storeProfile(profile);
  await openSession(token, profile ?? typed);
}
