import { dayMs, displayZoneOffsetMs, hourMs, minuteMs } from '../time.ts';

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
 * The smallest buckets of which at most `most` (at least 2) contain the time from `from` to `to` (ms, `from` < `to`). They
 * last a round time and begin at round times of the displayed time zone, the longer ones at midnight.
 */
export function bucketsBetween(from: number, to: number, most: number): Buckets {
  const fitting = stepsMs.find((stepMs) => countOf(from, to, stepMs) <= most);
  let stepMs = fitting ?? Math.ceil((to - from) / most / dayMs) * dayMs;
  while (countOf(from, to, stepMs) > most) stepMs += dayMs;
  return { start: startOf(from, stepMs), stepMs, count: countOf(from, to, stepMs) };
}

/** The start of the bucket that contains a time (ms). */
function startOf(moment: number, stepMs: number): number {
  return Math.floor((moment + displayZoneOffsetMs) / stepMs) * stepMs - displayZoneOffsetMs;
}

function countOf(from: number, to: number, stepMs: number): number {
  return Math.ceil((to - startOf(from, stepMs)) / stepMs);
}
