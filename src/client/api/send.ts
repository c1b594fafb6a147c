import { headers } from '#contract/headers.ts';
import { deltaManipulation } from '#contract/plant-delta.ts';
import type { ApiRequest } from '#contract/request.ts';
import { linkAbort } from './link-abort.ts';

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

/** Options that every call takes. */
export interface RequestOptions {
  token?: string | null;
  signal?: AbortSignal;
  /** Used instead of the platform's fetch, e.g. to report the progress of an upload. */
  fetch?: Fetch;
}

/** What a single call adds to its request. */
export interface ExtraOptions {
  idempotencyKey?: string;
  ifNoneMatch?: string | null;
  /** Files, sent instead of the request's body. */
  form?: FormData;
  /** Gives the call up after this time; 15 s by default. */
  timeoutMs?: number;
}

/** An HTTP response whose body has been read. */
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

/** Thrown when there was no response that could be read: no network, a timeout or an aborted call. */
export class NoResponse extends Error {
  readonly isTimeout: boolean;

  constructor(isTimeout: boolean, cause: unknown) {
    super('No response', { cause });
    this.isTimeout = isTimeout;
  }
}

/** How long a call without `timeoutMs` may take. */
export const defaultTimeoutMs = 15_000;

/** Sends a request and reads its response as JSON. Rejects only with NoResponse: any HTTP status is a response. */
export function send(
  request: ApiRequest,
  call: RequestOptions,
  extra: ExtraOptions = {},
): Promise<ApiResponse> {
  return exchange(request, call, extra, readResponse);
}

/** Used by all calls except the live stream. Rejects with NoResponse also when `read` cannot read the response. */
export async function exchange<T>(
  request: ApiRequest,
  call: RequestOptions,
  extra: ExtraOptions,
  read: (response: Response) => Promise<T>,
): Promise<T> {
  const { signal, abort, unlink } = linkAbort(call.signal);
  let isTimeout = false;
  const timer = setTimeout(() => {
    isTimeout = true;
    abort();
  }, extra.timeoutMs ?? defaultTimeoutMs);
  try {
    const doFetch = call.fetch ?? fetch;
    const response = await doFetch(apiUrl(request.path), {
      method: request.method,
      headers: headersOf(request, call, extra),
      body: extra.form ?? request.body,
      signal,
      cache: 'no-store',
      credentials: 'omit',
    });
    return await read(response);
  } catch (error) {
    throw new NoResponse(isTimeout, error);
  } finally {
    clearTimeout(timer);
    unlink();
  }
}

/** Requests stored in the outbox contain only paths, so that the API can move to another host before they are sent. */
export function apiUrl(path: string): string {
  return `${(import.meta.env.VITE_API_URL ?? '').replace(/\/$/, '')}${path}`;
}

function headersOf(
  request: ApiRequest,
  call: RequestOptions,
  extra: ExtraOptions,
): Record<string, string> {
  return {
    accept: 'application/json',
    ...(request.body !== null && { 'content-type': 'application/json' }),
    ...(call.token && { authorization: `Bearer ${call.token}` }),
    ...(request.ifMatch && { [headers.ifMatch]: request.ifMatch }),
    ...(extra.ifNoneMatch && {
      [headers.ifNoneMatch]: extra.ifNoneMatch,
      [headers.aIm]: deltaManipulation,
    }),
    ...(extra.idempotencyKey && { [headers.idempotencyKey]: `"${extra.idempotencyKey}"` }),
  };
}

async function readResponse(response: Response): Promise<ApiResponse> {
  const body = parseJson(await response.text());
  return apiResponse(response.status, (name) => response.headers.get(name), body);
}

/** `body`: parsed JSON, or undefined when it is not JSON. */
export function apiResponse(
  status: number,
  header: (name: string) => string | null,
  body: unknown,
): ApiResponse {
  const serverTime = numberOrNull(Date.parse(header('date') ?? ''));
  return {
    status,
    ok: status >= 200 && status < 300,
    body,
    isJson: body !== undefined,
    etag: header(headers.etag),
    replayed: header(headers.idempotentReplayed) === 'true',
    retryAfterMs: retryAfterMs(header('retry-after'), serverTime),
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

/**
 * Retry-After in ms, limited to 1 s to 1 h; null without a usable value. The header contains seconds or a date. A date
 * is compared with the server's clock, since the device's clock may be wrong.
 */
export function retryAfterMs(header: string | null, serverTime: number | null): number | null {
  if (!header?.trim()) return null;
  const seconds = numberOrNull(Number(header));
  const date = serverTime === null ? null : numberOrNull(Date.parse(header) - serverTime);
  const waitMs = seconds === null ? date : seconds * 1000;
  return waitMs === null ? null : Math.min(Math.max(waitMs, 1_000), 3_600_000);
}

function numberOrNull(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}
