import type { Range } from '../plant/plant.ts';
import { hourMs } from '../time.ts';
import { verdictOn } from './optimal-range.ts';
import type { Measure } from './reading.ts';
import type { ReadingArrays } from './reading-arrays.ts';

/** The newest 24 readings, oldest first. A measure that was not reported is null. */
export interface ReadingTrend extends Record<Measure, (number | null)[]> {
  /** ms */
  moments: number[];
}

/** How many readings a trend chart shows (spec section 9). */
const trendLength = 24;

export function readingTrend(readings: ReadingArrays): ReadingTrend {
  const order = readings.timestamp
    .map((timestamp, i) => ({ moment: Date.parse(timestamp), i }))
    .filter(({ moment }) => Number.isFinite(moment))
    .sort((a, b) => b.moment - a.moment)
    .slice(0, trendLength)
    .reverse();
  const column = (measure: Measure) => order.map(({ i }) => readings[measure][i] ?? null);
  return {
    moments: order.map(({ moment }) => moment),
    soil_humidity: column('soil_humidity'),
    air_humidity: column('air_humidity'),
    temperature: column('temperature'),
    luminance: column('luminance'),
  };
}

/** A watering within this time after the newest reading extends the time axis. */
const stretchMs = 2 * hourMs;

/**
 * The time axis: from the oldest reading to the newest, or to a watering soon after, with 2 % of its length added on
 * both sides. If that is a single moment, 30 minutes are added on both sides.
 */
export function trendWindow(moments: readonly number[], waterings: readonly number[]): Range {
  const min = moments[0] ?? 0;
  const newest = moments.at(-1) ?? min;
  const soonAfter = waterings.filter((moment) => moment > newest && moment - newest <= stretchMs);
  const max = Math.max(newest, ...soonAfter);
  const pad = min === max ? stretchMs / 4 : (max - min) * 0.02;
  return { min: min - pad, max: max + pad };
}

export interface TrendSummary {
  latest: number;
  lowest: number;
  highest: number;
  /** How many of the measured values are outside the optimal range. */
  outCount: number;
  count: number;
}

/** The numbers for a chart's text alternative; null when nothing was measured. */
export function trendSummary(
  values: readonly (number | null)[],
  threshold: Range,
): TrendSummary | null {
  const known = values.filter((value) => value !== null);
  const latest = known.at(-1);
  if (latest === undefined) return null;
  return {
    latest,
    lowest: Math.min(...known),
    highest: Math.max(...known),
    outCount: known.filter((value) => verdictOn(value, threshold) !== 'In range').length,
    count: known.length,
  };
}
