import { linkAbort } from '#client/api/link-abort.ts';
import { apiUrl, type Fetch, retryAfterMs } from '#client/api/send.ts';
import { type LiveEvent, liveRequest } from '#contract/live.ts';
import { createEventParser } from './event-parser.ts';

/** Why a stream could not be opened, or why it ended. */
export type StreamEnd =
  /** The server no longer knows the session. */
  | { type: 'unauthorized' }
  /** The server has no streams (an older server responds 404 or 405), or refuses this stream with another 4xx: JSON. */
  | { type: 'unsupported' }
  /** The server cannot serve it at the moment: 408, 425, 429, 5xx. */
  | { type: 'unavailable'; retryAfterMs: number | null }
  /** No network, a proxy or captive portal responded, or the stream ended before its first event. */
  | { type: 'unreachable' }
  /** No first event within 10 s: a proxy may be waiting for the end of the stream. */
  | { type: 'buffered' }
  /** Was open; then nothing came for 60 s, not even a heartbeat. */
  | { type: 'silent' }
  /** Was open; then the server or the network ended it. */
  | { type: 'ended' };

export interface ReadOptions {
  token: string;
  fetch: Fetch;
  signal: AbortSignal;
}

const firstEventMs = 10_000;
/** More than two heartbeats. */
const silenceMs = 60_000;

/**
 * Opens the stream once and reports its events until it ends. An abort makes it resolve to 'ended', or to 'unreachable'
 * before the first event.
 */
export async function readStream(
  options: ReadOptions,
  onEvent: (event: LiveEvent) => void,
): Promise<StreamEnd> {
  const { signal, abort, unlink } = linkAbort(options.signal);
  let isOpen = false;
  let isLate = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const expectWithin = (ms: number) => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      isLate = true;
      abort();
    }, ms);
  };
  expectWithin(firstEventMs);
  try {
    const response = await request(options, signal);
    const failure = await failureOf(response);
    if (failure || !response.body) {
      if (!response.bodyUsed) await response.body?.cancel();
      return failure ?? { type: 'unreachable' };
    }
    const parse = createEventParser((type) => {
      if (type === 'open') isOpen = true;
      if (type === 'open' || type === 'change') onEvent(type);
    });
    await readChunks(response.body, signal, (chunk) => {
      parse(chunk);
      if (isOpen) expectWithin(silenceMs);
    });
  } catch {
    // The reason is derived below.
  } finally {
    clearTimeout(timer);
    unlink();
    abort();
  }
  if (isLate) return { type: isOpen ? 'silent' : 'buffered' };
  return { type: isOpen ? 'ended' : 'unreachable' };
}

function request({ token, fetch }: ReadOptions, signal: AbortSignal): Promise<Response> {
  const { method, path } = liveRequest();
  return fetch(apiUrl(path), {
    method,
    headers: { accept: 'text/event-stream', authorization: `Bearer ${token}` },
    signal,
    cache: 'no-store',
    credentials: 'omit',
  });
}

/** Why a response is not a stream of events; null if it is one. */
async function failureOf(response: Response): Promise<StreamEnd | null> {
  const { status, headers } = response;
  if (status === 401) return { type: 'unauthorized' };
  if (status >= 500 || [408, 425, 429].includes(status)) {
    const serverTime = Date.parse(headers.get('date') ?? '');
    const waitMs = retryAfterMs(headers.get('retry-after'), serverTime || null);
    return { type: 'unavailable', retryAfterMs: waitMs };
  }
  if (status >= 400) return { type: (await isJson(response)) ? 'unsupported' : 'unreachable' };
  const isStream = headers.get('content-type')?.startsWith('text/event-stream') ?? false;
  return status === 200 && isStream ? null : { type: 'unreachable' };
}

/** Reads the body. A body that is not JSON comes from a proxy or a captive portal. */
function isJson(response: Response): Promise<boolean> {
  return response.json().then(
    () => true,
    () => false,
  );
}

/** Reads until the stream ends or the signal aborts. Rejects when the stream breaks. */
async function readChunks(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal,
  onChunk: (chunk: Uint8Array) => void,
): Promise<void> {
  const reader = body.getReader();
  // Needed in browsers whose fetch does not end the body when the signal aborts.
  const cancel = () => void reader.cancel().catch(() => undefined);
  signal.addEventListener('abort', cancel);
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      onChunk(value);
    }
  } finally {
    signal.removeEventListener('abort', cancel);
    cancel();
  }
}
