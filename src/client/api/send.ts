import { headers } from '#contract/headers.ts';
import type { ApiRequest } from '#contract/request.ts';

declare global {
  interface ImportMetaEnv {
    /** Set at build time when the API is on another host: its origin, e.g. https://api.example.org. */
    readonly VITE_API_URL?: string;
  }
  interface ImportMeta {
    readonly env: ImportMetaEnv;
  }
}

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** What a call needs beside its arguments. */
export interface RequestOptions {
  token?: string | null;
  signal?: AbortSignal;
  /** Another fetch than the platform's, e.g. a server in the same process. */
  fetch?: Fetch;
}

/** Whatever came back, read to the end. */
export interface ApiResponse {
  status: number;
  ok: boolean;
  /** Parsed JSON, or undefined when the body is not JSON. */
  body: unknown;
  isJson: boolean;
  etag: string | null;
  replayed: boolean;
  retryAfterMs: number | null;
  /** The server's clock, ms, to the second. */
  serverTime: number | null;
}

/** No answer at all: no network, a timeout, an aborted call. */
export class NoResponse extends Error {}

const timeoutMs = 15_000;

/** The client's only fetch. Rejects with NoResponse alone; every HTTP status is an answer. */
export async function send(
  request: ApiRequest,
  call: RequestOptions,
  extra: { idempotencyKey?: string; ifNoneMatch?: string | null } = {},
): Promise<ApiResponse> {
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(), timeoutMs);
  const stop = () => timeout.abort();
  call.signal?.addEventListener('abort', stop);
  if (call.signal?.aborted) stop();
  try {
    const doFetch = call.fetch ?? fetch;
    const response = await doFetch(apiUrl(request.path), {
      method: request.method,
      headers: headersOf(request, call, extra),
      body: request.body,
      signal: timeout.signal,
      cache: 'no-store',
      credentials: 'omit',
    });
    return await readAnswer(response);
  } catch (error) {
    throw new NoResponse('No answer', { cause: error });
  } finally {
    clearTimeout(timer);
    call.signal?.removeEventListener('abort', stop);
  }
}

/** Frozen requests hold paths alone, so that an app may move to another host with its queue. */
export function apiUrl(path: string): string {
  return `${(import.meta.env.VITE_API_URL ?? '').replace(/\/$/, '')}${path}`;
}

function headersOf(
  request: ApiRequest,
  call: RequestOptions,
  extra: { idempotencyKey?: string; ifNoneMatch?: string | null },
): Record<string, string> {
  return {
    accept: 'application/json',
    ...(request.body !== null && { 'content-type': 'application/json' }),
    ...(call.token && { authorization: `Bearer ${call.token}` }),
    ...(request.ifMatch && { [headers.ifMatch]: request.ifMatch }),
    ...(extra.ifNoneMatch && { [headers.ifNoneMatch]: extra.ifNoneMatch }),
    ...(extra.idempotencyKey && { [headers.idempotencyKey]: `"${extra.idempotencyKey}"` }),
  };
}

async function readAnswer(response: Response): Promise<ApiResponse> {
  const text = await response.text();
  const body = parseJson(text);
  const serverTime = numberOrNull(Date.parse(response.headers.get('date') ?? ''));
  return {
    status: response.status,
    ok: response.ok,
    body,
    isJson: body !== undefined,
    etag: response.headers.get(headers.etag),
    replayed: response.headers.get(headers.idempotentReplayed) === 'true',
    retryAfterMs: retryAfterMs(response.headers.get('retry-after'), serverTime),
    serverTime,
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Seconds, or a date, which only the server's own clock can turn into a wait: ours may be wrong. */
function retryAfterMs(header: string | null, serverTime: number | null): number | null {
  if (!header?.trim()) return null;
  const seconds = numberOrNull(Number(header));
  const date = serverTime === null ? null : numberOrNull(Date.parse(header) - serverTime);
  const waitMs = seconds === null ? date : seconds * 1000;
  return waitMs === null ? null : Math.min(Math.max(waitMs, 1_000), 3_600_000);
}

function numberOrNull(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}
