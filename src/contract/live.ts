import { type ApiRequest, request } from './request.ts';

export const livePath = '/api/live';

/**
 * An event of the stream. `open` is sent immediately: if it does not arrive, the client knows that a proxy buffers the
 * stream. `change` says that the account's data may have changed. Neither event contains data: after either of them the
 * client pulls the changes.
 */
export type LiveEvent = 'open' | 'change';

/** After this time without an event the server sends a comment, which keeps proxies from closing the stream. */
export const liveHeartbeatMs = 25_000;

export function liveRequest(): ApiRequest {
  return request('GET', livePath);
}
