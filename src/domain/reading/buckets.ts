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
 * The shortest buckets that cover the time from `from` to `to` (ms), at most `most` of them. `from` must be less than
 * `to`, and `most` at least 2. The length of a bucket is one of `stepsMs` or a number of whole days. Buckets start at
 * multiples of that length in UTC+7; buckets of whole days start at midnight there. The server stores its roll-ups by
 * day in UTC+7 for all accounts, so that a change of an account's time zone changes no stored value. In a zone with
 * another offset, a bucket of days does not start at midnight, so its text names the first and the last day.
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
