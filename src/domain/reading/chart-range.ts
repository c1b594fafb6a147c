import { formatMoment } from '../dates.ts';
import type { Range } from '../plant/plant.ts';
import { dayMs, minuteMs } from '../time.ts';
import { dayIn, momentIn, offsetAt, type TimeZone } from '../zone.ts';

const padding = 0.1;
const leastHeight = 5;
const leastPadOfEqual = 10;

/**
 * The value axis of a chart (spec section 9): the data plus 10 % of their range on each side. If all values are equal,
 * each side gets half the span of the thresholds, at least 10. The axis contains the thresholds and spans at least 5.
 */
export function chartRange(values: readonly (number | null)[], threshold: Range): Range {
  const known = values.filter((value): value is number => Number.isFinite(value));
  const reach = [threshold.min, threshold.max, ...padded(known, threshold)];
  return atLeastTall(Math.min(...reach), Math.max(...reach));
}

function padded(values: readonly number[], threshold: Range): number[] {
  if (values.length === 0) return [];
  const min = Math.min(...values);
  const max = Math.max(...values);
  const pad =
    min === max
      ? Math.max(leastPadOfEqual, Math.abs(threshold.max - threshold.min) / 2)
      : (max - min) * padding;
  return [min - pad, max + pad];
}

function atLeastTall(min: number, max: number): Range {
  const missing = Math.max(0, leastHeight - (max - min));
  return { min: min - missing / 2, max: max + missing / 2 };
}

const stepsMs = [1, 5, 15, 30, 60, 120, 180, 360, 720].map((minutes) => minutes * minuteMs);

/** From this length of a time axis on (ms), all ticks are starts of days. */
const dailyFromMs = 2 * dayMs;
/** From this length on (ms), all ticks are starts of months. */
const monthlyFromMs = 100 * dayMs;

/**
 * At most `most` ticks (ms) of a time axis: round times, starts of days or, from `monthlyFromMs` on, starts of months
 * in the zone.
 */
export function roundTicks(from: number, to: number, most: number, zone: TimeZone): number[] {
  const ticksOf = to - from < monthlyFromMs ? roundMoments : monthStarts;
  return ticksOf(from, to, most, zone);
}

/** The label of one of these ticks: 'Nov 2026', 'Nov 20' at the start of a day, or '6:00 PM'. */
export function tickText(tick: number, from: number, to: number, zone: TimeZone): string {
  if (to - from >= monthlyFromMs) return formatMoment(tick, 'month', zone);
  const isDayStart = tick === momentIn(zone, dayIn(zone, tick), 0);
  return formatMoment(tick, isDayStart ? 'day' : 'time', zone);
}

/** At most `most` starts of months, evenly spaced. */
function monthStarts(from: number, to: number, most: number, zone: TimeZone): number[] {
  const shown = new Date(from + offsetAt(zone, from));
  const start = (month: number) =>
    shownAt(Date.UTC(shown.getUTCFullYear(), shown.getUTCMonth() + month), zone);
  const months: number[] = [];
  for (let month = 1; start(month) <= to; month += 1) months.push(start(month));
  const step = Math.ceil(months.length / Math.max(1, most));
  return months.filter((_, i) => i % step === 0);
}

/** Ticks at round times of the zone's clocks, evenly spaced unless the zone's offset changes between them. */
function roundMoments(from: number, to: number, most: number, zone: TimeZone): number[] {
  const least = (to - from) / Math.max(1, most);
  const withinDay = to - from < dailyFromMs ? stepsMs.find((ms) => ms >= least) : undefined;
  const step = withinDay ?? Math.ceil(least / dayMs) * dayMs;
  const first = Math.floor((from + offsetAt(zone, from)) / step) * step;
  const last = to + offsetAt(zone, to);
  const count = Math.max(0, Math.floor((last - first) / step) + 1);
  const moments = Array.from({ length: count }, (_, i) => shownAt(first + i * step, zone));
  // `shownAt` maps all times that the clocks skip to the moment of the offset change. The Set removes these duplicates.
  return [...new Set(moments)].filter((moment) => moment >= from && moment <= to).slice(0, most);
}

/** The moment at which the zone's clocks show `local`, a time that is given as if it were UTC (ms, whole minutes). */
function shownAt(local: number, zone: TimeZone): number {
  const day = Math.floor(local / dayMs);
  return momentIn(zone, day, (local - day * dayMs) / minuteMs);
}
