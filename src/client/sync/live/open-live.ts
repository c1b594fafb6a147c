import { createSleeper } from '../sleeper.ts';
import { type ReadOptions, readStream, type StreamEnd } from './read-stream.ts';

export type LiveUpdate =
  /** Changes are announced from now on. Pull once: earlier ones may have been missed. */
  | { type: 'open' }
  /** Something changed: pull. */
  | { type: 'change' }
  /** Changes are not announced: pull by the timer. */
  | { type: 'closed' };

export interface LiveOptions extends ReadOptions {
  /** Device's clock, ms. */
  now: () => number;
  random: () => number;
  onUpdate: (update: LiveUpdate) => void;
}

export interface LiveStream {
  /** Ends the wait after a failed connection, because the server can be reached again. Does not end any other wait. */
  retryNow: () => void;
}

/** When a stream ends that was open for at least this long, the backoff begins again with its first step. */
const stableMs = 60_000;

/**
 * Keeps a live stream open until the signal aborts or the server refuses it for this session; reports its state:
 *
 *   connect ── first event within 10 s ──► open ── change, change, … ──► closed ── wait, with jitter ──► connect
 *      └── unavailable, unreachable, buffered ─────────────────────────────▲
 */
export function openLive(options: LiveOptions): LiveStream {
  const { now, random, signal, onUpdate } = options;
  const sleeper = createSleeper(signal);
  let isUnreachable = false;

  async function run(): Promise<void> {
    for (let failures = 1; ; failures += 1) {
      const { end, openForMs } = await readOnce();
      if (signal.aborted) return;
      if (openForMs >= stableMs) failures = 1;
      const waitMs = retryDelayMs(end, failures, random);
      onUpdate({ type: 'closed' });
      if (waitMs === null) return;
      isUnreachable = end.type === 'unreachable';
      await sleeper.sleep(waitMs);
      isUnreachable = false;
      if (signal.aborted) return;
    }
  }

  async function readOnce(): Promise<{ end: StreamEnd; openForMs: number }> {
    let openedAt: number | null = null;
    const end = await readStream(options, (type) => {
      if (signal.aborted) return;
      openedAt ??= now();
      onUpdate({ type });
    });
    return { end, openForMs: openedAt === null ? 0 : now() - openedAt };
  }

  void run();
  return {
    retryNow: () => {
      // A wake between sleeps would end the next sleep at once. That may be the random wait after a server stop.
      if (isUnreachable) sleeper.wake();
    },
  };
}

/** After a server has stopped, its clients reconnect spread over this time instead of in the same second. */
const spreadMs = 10_000;
const longestMs = 60_000;
/** Long, because a proxy that buffers will continue to do so. */
const bufferedMs = 300_000;

/**
 * How long to wait after the nth end in a row before the stream is opened again; null: not in this session. Random: up
 * to 10 s after the first, then up to 20 s, 40 s and 60 s, at least a quarter of that. Retry-After, and 5 minutes for a
 * buffered stream, are extended by up to 10 s.
 */
export function retryDelayMs(
  end: StreamEnd,
  failures: number,
  random: () => number,
): number | null {
  const spread = spreadMs * random();
  switch (end.type) {
    case 'unauthorized':
    case 'unsupported':
      return null;
    case 'buffered':
      return Math.round(bufferedMs + spread);
    case 'unavailable':
      if (end.retryAfterMs !== null) return Math.round(end.retryAfterMs + spread);
  }
  if (failures <= 1) return Math.round(spread);
  const ceiling = Math.min(longestMs, spreadMs * 2 ** (failures - 1));
  return Math.round(ceiling * (0.25 + 0.75 * random()));
}
