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

export interface Received {
  status: number;
  text: string;
  /** ms: the latest that the server's clock can have been when the response arrived */
  serverNow: number;
}

/** A response with a status other than 2xx. */
export class AnswerError extends Error {
  readonly status: number;

  constructor({ status, text }: Pick<Received, 'status' | 'text'>) {
    super(`the server answered ${status}${wordsOf(text)}`);
    this.status = status;
  }
}

/** Sends one request and resolves to the response, whatever its status. Rejects when there is none. */
export async function exchange(
  { fetch, baseUrl, now, signal }: Connection,
  { method, path, body }: ApiRequest,
  token: string | null,
): Promise<Received> {
  return await withTimeout(signal, async (limit) => {
    const sentAt = now();
    const answer = await fetch(baseUrl + path, {
      method,
      body,
      signal: limit,
      headers: {
        ...(body !== null && { 'content-type': 'application/json' }),
        ...(token !== null && { authorization: `Bearer ${token}` }),
      },
    });
    const text = await answer.text();
    const receivedAt = now();
    const date = Date.parse(answer.headers.get('date') ?? '');
    const serverNow = Number.isNaN(date) ? receivedAt : date + dateStepMs + receivedAt - sentAt;
    return { status: answer.status, text, serverNow };
  });
}

/** The JSON of a 2xx response; throws an AnswerError for any other. */
export function accepted(received: Pick<Received, 'status' | 'text'>): unknown {
  if (received.status < 200 || received.status > 299) throw new AnswerError(received);
  return JSON.parse(received.text);
}

/** Why there was no response, in words. The network's own error is the cause of 'fetch failed'. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return (error.cause instanceof Error && error.cause.message) || error.message;
}

/** Not AbortSignal.any, which keeps every request's signal in memory for as long as the long-lived one exists. */
async function withTimeout<T>(
  signal: AbortSignal,
  ask: (limit: AbortSignal) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const limit = new AbortController();
  const end = () => limit.abort();
  const timer = setTimeout(
    () => limit.abort(new Error(`no answer within ${timeoutMs / 1_000} s`)),
    timeoutMs,
  );
  signal.addEventListener('abort', end);
  try {
    return await ask(limit.signal);
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
