import { ApiError } from '#client/api/http.ts';
import { AccountError } from './account.ts';
import { getSession, handleUnauthorized } from './session.ts';

/** Calls the API with the session's token. A 401 ends the session, as it does in the sync engine. */
export async function asSignedIn<T>(
  send: (call: { token: string }) => Promise<T>,
  fallback: string,
): Promise<T> {
  const session = getSession();
  if (session.status !== 'signed-in') throw new AccountError(null, fallback);
  const { token } = session;
  // Read before sending: the network may be lost after the server has received the request.
  const wasOnline = navigator.onLine;
  return send({ token }).catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 401) void handleUnauthorized(token);
    throw new AccountError(error, fallback, wasOnline);
  });
}
