import * as api from '#client/api/auth.ts';
import { closeSession } from './session.ts';

/** Ends the session here and on the server, and removes everything of the account from this device. */
export async function signOut(): Promise<void> {
  const ended = closeSession();
  if (!ended) return;
  const { token, db } = ended;
  // The token is gone from here either way; a server out of reach lets it run out.
  await api.signOut({ token }).catch((error: Error) => console.warn(error.message));
  const { eraseDevice } = await import('#client/store/database.ts');
  await eraseDevice(db);
}
