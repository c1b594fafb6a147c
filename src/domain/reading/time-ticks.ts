import { displayZoneOffsetMs } from '../dates.ts';
import { dayMs, minuteMs } from '../durations.ts';

const stepsMs = [1, 5, 15, 30, 60, 120, 180, 360, 720].map((minutes) => minutes * minuteMs);

/** At most `most` round moments (ms) of the displayed clock between two others, evenly spaced: a time axis' ticks. */
export function roundMoments(from: number, to: number, most: number): number[] {
  const least = (to - from) / Math.max(1, most);
  const step = stepsMs.find((ms) => ms >= least) ?? Math.ceil(least / dayMs) * dayMs;
  const first = Math.ceil((from + displayZoneOffsetMs) / step) * step - displayZoneOffsetMs;
  const count = Math.max(0, Math.floor((to - first) / step) + 1);
  return Array.from({ length: count }, (_, i) => first + i * step).slice(0, most);
}
