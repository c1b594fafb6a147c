import * as v from 'valibot';
import type { ApiRequest } from '#contract/request.ts';

const patienceMs = 15_000;
/** The Date header counts whole seconds. */
const dateStepMs = 1_000;

const refusal = v.object({ message: v.string() });

/** The way to a server. */
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

/** An answer that is no 2xx. */
export class AnswerError extends Error {
  readonly status: number;

  constructor({ status, text }: Pick<Received, 'status' | 'text'>) {
    super(`the server answered ${status}${wordsOf(text)}`);
    this.status = status;
  }
}

/** One request and its answer, whatever it is. Rejects when none comes. */
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

/** The answer's JSON, if it is a 2xx. */
export function accepted(received: Received): unknown {
  if (received.status < 200 || received.status > 299) throw new AnswerError(received);
  return JSON.parse(received.text);
}

/** Why no answer came, in words: what the network says is wrapped in 'fetch failed'. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return (error.cause instanceof Error && error.cause.message) || error.message;
}

/** AbortSignal.any would keep every request's signal for as long as the lasting one lives. */
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

/** What the server says of a refusal, if it says anything. */
function wordsOf(text: string): string {
  try {
    return `: ${v.parse(refusal, JSON.parse(text)).message}`;
  } catch {
    return '';
  }
}
