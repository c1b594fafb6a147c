import type { GenericSchema } from 'valibot';
import { ApiError, anyJson, sendRequest } from '#client/api/http.ts';
import type { ApiRequest } from '#contract/request.ts';
import { AccountError } from './account.ts';
import { getSession, handleUnauthorized } from './session.ts';

/**
 * Sends a request with the session's token and checks the shape of the response. `fallback`: the message without a
 * usable response. Throws an AccountError with the message to show.
 */
export function callSignedIn<T>(
  request: ApiRequest,
  schema: GenericSchema<unknown, T>,
  fallback: string,
): Promise<T> {
  return asSignedIn((call) => sendRequest(request, call, schema, { fallback }), fallback);
}

/** Like callSignedIn, for a request that removes something. Also succeeds if it was removed before. */
export async function removeSignedIn(request: ApiRequest, fallback: string): Promise<void> {
  await callSignedIn(request, anyJson, fallback).catch((error: unknown) => {
    if (!(error instanceof AccountError && error.status === 404)) throw error;
  });
}

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
