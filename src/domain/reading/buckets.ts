import { dayMs, defaultOffsetMs, hourMs, minuteMs } from '../time.ts';

/** A time range divided into `count` parts of equal length. It begins at `start` (ms). */
export interface Buckets {
  start: number;
  stepMs: number;
  count: number;
}

/** Each divides a day, so that no bucket crosses midnight in UTC+7. */
const stepsMs = [
  ...[1, 2, 5, 10, 15, 20, 30].map((minutes) => minutes * minuteMs),
  ...[1, 2, 3, 4, 6, 8, 12].map((hours) => hours * hourMs),
];

/**
 * Divides the time from `from` to `to` (ms) into the shortest buckets of which at most `most` are needed. `from` must be
 * less than `to`, and `most` at least 2. A bucket lasts one of `stepsMs` or a number of whole days. It starts at a
 * multiple of its length in UTC+7, one of whole days at midnight there.
 *
 * It is UTC+7 for every account, as in the stored roll-ups by day, so a change of the time zone changes no stored value.
 * In another zone a bucket of days starts at another time of day, so its text names the first and the last day.
 */
export function bucketsBetween(from: number, to: number, most: number): Buckets {
  const fitting = stepsMs.find((stepMs) => countOf(from, to, stepMs) <= most);
  let stepMs = fitting ?? Math.ceil((to - from) / most / dayMs) * dayMs;
  while (countOf(from, to, stepMs) > most) stepMs += dayMs;
  return { start: startOf(from, stepMs), stepMs, count: countOf(from, to, stepMs) };
}

/** The start of the bucket that contains a time (ms). */
function startOf(moment: number, stepMs: number): number {
  return Math.floor((moment + defaultOffsetMs) / stepMs) * stepMs - defaultOffsetMs;
}

function countOf(from: number, to: number, stepMs: number): number {
  return Math.ceil((to - startOf(from, stepMs)) / stepMs);
}
