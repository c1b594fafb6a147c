import { dayMs, displayZoneOffsetMs, minuteMs } from '../time.ts';

const stepsMs = [1, 5, 15, 30, 60, 120, 180, 360, 720].map((minutes) => minutes * minuteMs);

/** Ticks of a time axis: at most `most` evenly spaced times (ms) that are round in the displayed time zone. */
export function roundMoments(from: number, to: number, most: number): number[] {
  const least = (to - from) / Math.max(1, most);
  const step = stepsMs.find((ms) => ms >= least) ?? Math.ceil(least / dayMs) * dayMs;
  const first = Math.ceil((from + displayZoneOffsetMs) / step) * step - displayZoneOffsetMs;
  const count = Math.max(0, Math.floor((to - first) / step) + 1);
  return Array.from({ length: count }, (_, i) => first + i * step).slice(0, most);
}
