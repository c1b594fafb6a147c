import type { BucketSeries, MeasureSeries } from '#domain/reading/bucket-series.ts';
import { type RangeName, ranges } from '#domain/reading/ranges.ts';

const steps: Record<RangeName, number> = { '24h': 600, '7d': 3_600, '30d': 14_400, '1y': 172_800 };

/** A series as the server sends it: sine waves that end at `now`, with null in the buckets of the `gap`. */
export function bucketSeries(
  range: RangeName,
  {
    now = Date.now(),
    gap = [0, 0],
  }: { now?: number; gap?: readonly [from: number, to: number] } = {},
): BucketSeries {
  const step = steps[range];
  const count = Math.ceil(ranges[range].lengthMs / 1000 / step);
  const wave = (middle: number, height: number, spread: number): MeasureSeries => {
    const mean = Array.from({ length: count }, (_, i) =>
      i >= gap[0] && i < gap[1]
        ? null
        : Math.round((middle + height * Math.sin(i / 9)) * 100) / 100,
    );
    const moved = (by: number) =>
      mean.map((value, i) =>
        value === null ? null : Math.round((value + by * (1 + (i % 4))) * 10) / 10,
      );
    return { min: moved(-spread), max: moved(spread), mean };
  };
  const iso = (bucketsAgo: number) =>
    `${new Date(now - bucketsAgo * step * 1000).toISOString().slice(0, 19)}Z`;
  return {
    start: new Date(Math.floor(now / 1000 / step + 1 - count) * step * 1000).toISOString(),
    step_seconds: step,
    count,
    soil_humidity: wave(48, 16, 1),
    air_humidity: wave(60, 12, 2),
    temperature: wave(22, 4, 0.5),
    luminance: wave(6_000, 5_000, 200),
    waterings: {
      at: [iso(100), iso(40), iso(2)],
      amount_ml: [250, null, 80.5],
      source: ['auto', 'manual', 'auto'],
      count: [2, 1, 1],
    },
  };
}

/** A series of the same buckets in which nothing was reported. */
export function emptySeries(range: RangeName): BucketSeries {
  const series = bucketSeries(range, { gap: [0, 1_000] });
  return { ...series, waterings: { at: [], amount_ml: [], source: [], count: [] } };
}
