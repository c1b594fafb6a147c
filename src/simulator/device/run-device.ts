import { type Device, measure } from './device.ts';
import { ResponseError, reasonOf } from './exchange.ts';
import { type ReportOptions, report } from './report.ts';

/** Resolves after this many ms, or when `signal` aborts. */
export type Pause = (ms: number, signal: AbortSignal) => Promise<void>;

export interface RunOptions extends ReportOptions {
  everyMs: number;
  /** How many times faster than real time soil, weather and daylight change. */
  speed: number;
  /** ms: the start of the run; since then, soil and weather change `speed` times as fast as the clock */
  startedAt: number;
  /** Share of reports that are skipped; their readings go with the next one. */
  dropout: number;
  random: () => number;
  signal: AbortSignal;
  pause: Pause;
  onProblem: (message: string) => void;
}

const firstPauseMs = 1_000;
const longestPauseMs = 60_000;

/** Measures, reports and waters until `signal` aborts or the token is revoked. Never rejects. */
export async function runDevice(device: Device, options: RunOptions): Promise<void> {
  const { everyMs, speed, startedAt, dropout, now, random, signal, pause, onProblem } = options;
  let failures = 0;
  let quietUntil = 0;
  while (!signal.aborted) {
    const moment = now();
    measure(device, startedAt + (moment - startedAt) * speed, moment);
    const isMissed = random() < dropout;
    if (!isMissed && moment >= quietUntil) {
      try {
        await report(device, options);
        failures = 0;
      } catch (error) {
        if (signal.aborted) return;
        if (error instanceof ResponseError && error.status === 401) {
          return onProblem('its token was revoked; it stops');
        }
        failures += 1;
        const next = device.waiting.length > 0 ? 'trying again' : 'the reading is dropped';
        if (failures === 1) onProblem(`${reasonOf(error)}; ${next}`);
        const askedMs = error instanceof ResponseError ? error.retryAfterMs : 0;
        quietUntil = now() + Math.max(askedMs, pauseAfter(failures, random));
      }
    }
    await pause(everyMs, signal);
  }
}

/** Backoff with jitter: a random share, at least half, of 1 s, 2 s, 4 s … 60 s. */
export function pauseAfter(failures: number, random: () => number): number {
  const longest = Math.min(longestPauseMs, firstPauseMs * 2 ** (failures - 1));
  return longest * (0.5 + random() / 2);
}
