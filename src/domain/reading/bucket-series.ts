import { formatMoment } from '../dates.ts';
import { dayMs } from '../time.ts';
import type { TimeZone } from '../zone.ts';
import { type Measure, measures } from './reading.ts';

type Values = (number | null)[];

/** A measure's values with one item per bucket, oldest first; null if it was not reported in that bucket. */
export interface MeasureSeries {
  min: Values;
  max: Values;
  /** The mean of all readings in the bucket. */
  mean: Values;
}

/** Waterings as parallel arrays, oldest first. Those with the same bucket and source form one mark. */
export interface WateringMarks {
  /** ISO 8601 UTC, the last one of the mark */
  at: string[];
  /** the sum of the mark's known amounts, ml; null if none is known */
  amount_ml: Values;
  source: ('manual' | 'auto')[];
  /** number of waterings in the mark */
  count: number[];
}

/** The readings of a plant in buckets of equal length, as parallel arrays. */
export interface BucketSeries extends Record<Measure, MeasureSeries> {
  /** ISO 8601 UTC, of the first bucket */
  start: string;
  step_seconds: number;
  /** number of buckets; the length of all arrays but those of the waterings */
  count: number;
  waterings: WateringMarks;
}

/** The start of the bucket at `index`, ms; for the index `count`, the end of the last one. */
export function bucketStart({ start, step_seconds }: BucketSeries, index: number): number {
  return Date.parse(start) + index * step_seconds * 1000;
}

/** The middle of each bucket, ms: where a chart draws it. */
export function bucketMiddles(series: BucketSeries): number[] {
  return Array.from({ length: series.count }, (_, i) => bucketStart(series, i + 0.5));
}

/**
 * The time of a bucket for a table: 'Nov 20, 2026, 3:00 PM to 4:00 PM', or its days: 'Nov 19, 2026 to Nov 20, 2026'.
 */
export function bucketText(series: BucketSeries, index: number, zone: TimeZone): string {
  const [start, end] = [bucketStart(series, index), bucketStart(series, index + 1)];
  if (end - start >= dayMs) return daysText(start, end, 'date', zone);
  return `${formatMoment(start, 'dateTime', zone)} to ${formatMoment(end, 'time', zone)}`;
}

/** Like bucketText, but without years, and only the start of a bucket shorter than a day: 'Nov 20, 3:00 PM'. */
export function shortBucketText(series: BucketSeries, index: number, zone: TimeZone): string {
  const [start, end] = [bucketStart(series, index), bucketStart(series, index + 1)];
  if (end - start >= dayMs) return daysText(start, end, 'day', zone);
  return `${formatMoment(start, 'day', zone)}, ${formatMoment(start, 'time', zone)}`;
}

function daysText(start: number, end: number, format: 'date' | 'day', zone: TimeZone): string {
  const [first, last] = [formatMoment(start, format, zone), formatMoment(end - 1, format, zone)];
  return first === last ? first : `${first} to ${last}`;
}

/** Whether no measure was reported in the whole time. */
export function isEmptySeries(series: BucketSeries): boolean {
  return measures.every((measure) => series[measure].mean.every((mean) => mean === null));
}

export interface BucketSummary {
  lowest: number;
  highest: number;
  /** The mean of the last bucket with a value. */
  latest: number;
  /** In how many buckets the measure was reported. */
  count: number;
}

/** The numbers for a chart's text alternative; null when the measure was never reported. */
export function bucketSummary({ min, max, mean }: MeasureSeries): BucketSummary | null {
  const known = mean.filter(isNumber);
  const latest = known.at(-1);
  if (latest === undefined) return null;
  return {
    lowest: Math.min(...min.filter(isNumber)),
    highest: Math.max(...max.filter(isNumber)),
    latest,
    count: known.length,
  };
}

/** The waterings of a bucket. */
export interface BucketWaterings {
  count: number;
  /** All known amounts together; null where none is known. */
  ml: number | null;
}

/** The waterings of each bucket; undefined where there are none. */
export function wateringsByBucket(series: BucketSeries): (BucketWaterings | undefined)[] {
  const { at, amount_ml, count } = series.waterings;
  const buckets = new Array<BucketWaterings | undefined>(series.count).fill(undefined);
  for (const [i, moment] of at.entries()) {
    const index = Math.floor(
      (Date.parse(moment) - bucketStart(series, 0)) / (series.step_seconds * 1000),
    );
    const known = buckets[index] ?? { count: 0, ml: null };
    const ml = amount_ml[i] ?? null;
    buckets[index] = {
      count: known.count + (count[i] ?? 1),
      ml: ml === null ? known.ml : (known.ml ?? 0) + ml,
    };
  }
  return buckets;
}

/** The stretches of successive buckets with a value, as first and last index. A chart draws nothing between them. */
export function stretchesOf(values: readonly (number | null)[]): [first: number, last: number][] {
  const stretches: [number, number][] = [];
  for (const [i, value] of values.entries()) {
    if (value === null) continue;
    const open = stretches.at(-1);
    if (open && open[1] === i - 1) open[1] = i;
    else stretches.push([i, i]);
  }
  return stretches;
}

function isNumber(value: number | null): value is number {
  return value !== null;
}
