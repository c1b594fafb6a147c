import * as v from 'valibot';
import type { ApiRequest } from '#contract/request.ts';

const timeoutMs = 15_000;
/** The Date header counts whole seconds. */
const dateStepMs = 1_000;

const errorBody = v.object({ message: v.string() });

/** How to reach a server. */
export interface Connection {
  fetch: typeof fetch;
  /** Without a slash at the end. */
  baseUrl: string;
  /** ms */
  now: () => number;
  signal: AbortSignal;
}

export interface ReceivedResponse {
  status: number;
  text: string;
  /**
   * ms: upper bound of the server's time when the response arrived; the local time if the response has no Date header
   */
  serverNow: number;
  /** How long the server asks to wait; 0 if it does not. */
  retryAfterMs: number;
}

/** A response, or the result of one reading if the request contains several. */
export type SimpleResponse = Pick<ReceivedResponse, 'status' | 'text'> & Partial<ReceivedResponse>;

/** A response with a status other than 2xx. */
export class ResponseError extends Error {
  readonly status: number;
  readonly retryAfterMs: number;

  constructor({ status, text, retryAfterMs = 0 }: SimpleResponse) {
    super(`the server responded with ${status}${wordsOf(text)}`);
    this.status = status;
    this.retryAfterMs = retryAfterMs;
  }
}

/** Sends one request and resolves to the response, with any status. Rejects if there is none. */
export async function exchange(
  { fetch, baseUrl, now, signal }: Connection,
  { method, path, body }: ApiRequest,
  token: string | null,
): Promise<ReceivedResponse> {
  return await withTimeout(signal, async (limit) => {
    const sentAt = now();
    const response = await fetch(baseUrl + path, {
      method,
      body,
      signal: limit,
      headers: {
        ...(body !== null && { 'content-type': 'application/json' }),
        ...(token !== null && { authorization: `Bearer ${token}` }),
      },
    });
    const text = await response.text();
    const receivedAt = now();
    const date = Date.parse(response.headers.get('date') ?? '');
    const serverNow = Number.isNaN(date) ? receivedAt : date + dateStepMs + receivedAt - sentAt;
    const retryAfterMs = Number(response.headers.get('retry-after') ?? 0) * 1_000 || 0;
    return { status: response.status, text, serverNow, retryAfterMs };
  });
}

/** The JSON of a 2xx response; throws a ResponseError for any other. */
export function requireAccepted(received: SimpleResponse): unknown {
  if (received.status < 200 || received.status > 299) throw new ResponseError(received);
  return JSON.parse(received.text);
}

/** Whether the server would always reject the reading. Other failures may end with a new token or less load. */
export function isRejectedForGood(status: number): boolean {
  return status >= 400 && status < 500 && ![401, 408, 425, 429].includes(status);
}

/** The message of an error, or of its cause: fetch only says 'fetch failed', with the network error as the cause. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return (error.cause instanceof Error && error.cause.message) || error.message;
}

/**
 * Runs `send` with a timeout. It does not use AbortSignal.any, which keeps every request's signal in memory as long as
 * `signal` exists.
 */
async function withTimeout<T>(
  signal: AbortSignal,
  send: (limit: AbortSignal) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const limit = new AbortController();
  const end = () => limit.abort();
  const timer = setTimeout(
    () => limit.abort(new Error(`no response within ${timeoutMs / 1_000} s`)),
    timeoutMs,
  );
  signal.addEventListener('abort', end);
  try {
    return await send(limit.signal);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', end);
  }
}

/** The message of an error response, with a colon in front; '' if there is none. */
function wordsOf(text: string): string {
  try {
    return `: ${v.parse(errorBody, JSON.parse(text)).message}`;
  } catch {
    return '';
  }
}
