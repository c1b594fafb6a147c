import type { StreamEnd } from './read-stream.ts';

/** After a server has stopped, its clients reconnect spread over this time instead of in the same second. */
const spreadMs = 10_000;
const longestMs = 60_000;
/** Long, because a proxy that buffers will continue to do so. */
const bufferedMs = 300_000;

/**
 * How long to wait after the nth end in a row before the stream is opened again; null: not in this session. Full jitter
 * of 10 s after the first, then 20 s, 40 s and 60 s, at least a quarter of it.
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
