import type { LookupAddress } from 'node:dns';
import http from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';
import { hourMs } from '#domain/time.ts';

export interface PostOptions {
  headers: http.OutgoingHttpHeaders;
  body: Buffer | string;
  /** Aborts the request. While the body of the response arrives, it only ends the response. */
  signal: AbortSignal;
  /** IP addresses to connect to instead of resolving the name again. */
  addresses?: readonly LookupAddress[];
}

export interface PostResponse {
  status: number;
  retryAfter: string | null;
}

/** A longer response is not read to its end. The responses of push services and ntfy are shorter. */
const maxBodyBytes = 16_384;

/**
 * Sends a POST request and resolves when the response has ended, so that a response that never ends counts as a request
 * in progress until it is aborted. Follows no redirects. Reads the body only to use the connection again.
 */
export async function post(url: string, options: PostOptions): Promise<PostResponse> {
  const { headers, body, signal, addresses } = options;
  const client = url.startsWith('https:') ? https : http;
  return await new Promise((resolve, reject) => {
    const request = client.request(
      url,
      { method: 'POST', headers, signal, ...(addresses && { lookup: pinnedTo(addresses) }) },
      (response) => {
        response.on('error', () => undefined);
        let bytes = 0;
        response.on('data', (chunk: Buffer) => {
          bytes += chunk.length;
          if (bytes > maxBodyBytes) response.destroy();
        });
        const retryAfter = response.headers['retry-after'] ?? null;
        const end = () => resolve({ status: response.statusCode ?? 0, retryAfter });
        response.on('close', end);
        // When the signal aborts, the request reports an error before the response is closed.
        request.prependListener('error', end);
      },
    );
    request.on('error', reject);
    // Without this listener, Node.js destroys the connection after a 101, and the request would never end.
    request.on('upgrade', (_response, socket) => {
      socket.destroy();
      reject(new Error('The connection was upgraded'));
    });
    request.end(body);
  });
}

function pinnedTo(addresses: readonly LookupAddress[]): LookupFunction {
  return (_hostname, { all }, callback) => {
    const [first] = addresses;
    if (!first) callback(new Error('no address'), '');
    else if (all) callback(null, [...addresses]);
    else callback(null, first.address, first.family);
  };
}

/** The result of sending one message. `status`: of the HTTP response; null without one. */
export type SendResult =
  | { type: 'accepted' }
  /**
   * The browser has unsubscribed, its session has ended, its push service is no longer allowed, or the ntfy topic was
   * removed.
   */
  | { type: 'gone' }
  /** A retry would be rejected again. */
  | { type: 'rejected'; status: number | null; problem: string }
  | { type: 'failed'; status: number | null; retryAfterMs: number; problem: string };

/** What a response means. `service`: the name of the service in problem texts. */
export function resultOf(
  { status, retryAfter }: PostResponse,
  service: string,
  now: Date,
): SendResult {
  if (status >= 200 && status < 300) return { type: 'accepted' };
  const problem = `The ${service} did not accept the message (status ${status})`;
  if (status === 408 || status === 429 || status >= 500) {
    return { type: 'failed', status, retryAfterMs: msOfRetryAfter(retryAfter, now), problem };
  }
  return { type: 'rejected', status, problem };
}

export function unreachable(service: string): SendResult {
  const problem = `The ${service} could not be reached`;
  return { type: 'failed', status: null, retryAfterMs: 0, problem };
}

const maxRetryAfterMs = 24 * hourMs;

/** The wait that a Retry-After header asks for, in seconds or as a date, at most 24 h; 0 if missing or malformed. */
function msOfRetryAfter(value: string | null, now: Date): number {
  if (value === null) return 0;
  const ms = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - now.getTime();
  return Number.isNaN(ms) ? 0 : Math.min(Math.max(0, ms), maxRetryAfterMs);
}
