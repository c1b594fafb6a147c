import * as v from 'valibot';
import type { ApiRequest } from '#contract/request.ts';

const patienceMs = 15_000;
/** The Date header counts whole seconds. */
const dateStepMs = 1_000;

const refusal = v.object({ message: v.string() });

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
  /** ms: the server's clock when the answer came, at the latest */
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
  return await withPatience(signal, async (patience) => {
    const sentAt = now();
    const answer = await fetch(baseUrl + path, {
      method,
      body,
      signal: patience,
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
export function accepted(received: Received): unknown {
  if (received.status < 200 || received.status > 299) throw new AnswerError(received);
  return JSON.parse(received.text);
}

/** Why there was no response, in words. The network's own error is the cause of 'fetch failed'. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return (error.cause instanceof Error && error.cause.message) || error.message;
}

/** Not AbortSignal.any, which keeps every request's signal in memory for as long as the long-lived one exists. */
async function withPatience<T>(
  signal: AbortSignal,
  ask: (patience: AbortSignal) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const patience = new AbortController();
  const end = () => patience.abort();
  const timer = setTimeout(
    () => patience.abort(new Error(`no answer within ${patienceMs / 1_000} s`)),
    patienceMs,
  );
  signal.addEventListener('abort', end);
  try {
    return await ask(patience.signal);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', end);
  }
}

/** The message of an error response, if it has one. */
function wordsOf(text: string): string {
  try {
    return `: ${v.parse(refusal, JSON.parse(text)).message}`;
  } catch {
    return '';
  }
}
