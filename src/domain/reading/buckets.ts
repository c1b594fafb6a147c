import { dayMs, defaultOffsetMs, hourMs, minuteMs } from '../time.ts';

/** Time in equal parts, of which the first begins at `start` (ms). */
export interface Buckets {
  start: number;
  stepMs: number;
  count: number;
}

/** Each divides a day, so that no bucket crosses midnight. */
const stepsMs = [
  ...[1, 2, 5, 10, 15, 20, 30].map((minutes) => minutes * minuteMs),
  ...[1, 2, 3, 4, 6, 8, 12].map((hours) => hours * hourMs),
];

/**
 * The shortest buckets of which at most `most` (at least 2) cover the time from `from` to `to` (ms, `from` < `to`).
 * Their length is a round time, and they begin at round times of UTC+7, the longer ones at its midnight: the server
 * rolls days up in UTC+7 for all accounts, so that a change of an account's time zone changes no stored value. In
 * another zone a bucket of days begins at another hour, so its text names both days.
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
