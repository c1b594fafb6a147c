import * as api from '#client/api/auth.ts';
import { deleteDeviceDb } from '#client/store/database.ts';
import { dropPushSubscription } from './push-browser.ts';
import { closeSession } from './session.ts';

// Separate from account.ts, so that the sign-in page does not load the code for signing out.

/** Ends the session on this device and on the server, and deletes all data of the account from this device. */
export async function signOut(): Promise<void> {
  const ended = closeSession();
  if (!ended) return;
  const { token, db } = ended;
  // Not awaited, because without a network it may take long, and the data must be deleted in any case.
  dropPushSubscription().catch((error: Error) => console.warn(error.message));
  // If the server is unreachable, the session ends there when it expires.
  const endedOnServer = api.signOut({ token }).catch((error: Error) => console.warn(error.message));
  // Deletes the data without waiting for the server's response, because the person may close the app at once.
  await Promise.all([deleteDeviceDb(db), endedOnServer]);
}
