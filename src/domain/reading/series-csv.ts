import { type BucketSeries, bucketStart } from './bucket-series.ts';
import { type Measure, measures } from './reading.ts';

const units: Record<Measure, string> = {
  soil_humidity: 'percent',
  air_humidity: 'percent',
  temperature: 'celsius',
  luminance: 'lux',
};

const parts = ['min', 'mean', 'max'] as const;

/** A series as CSV (RFC 4180): one line for each bucket, empty fields where nothing was reported. */
export function seriesCsv(series: BucketSeries): string {
  const columns = measures.flatMap((measure) => parts.map((part) => ({ measure, part })));
  const names = columns.map(({ measure, part }) => `${measure}_${part}_${units[measure]}`);
  const watered = wateringsByBucket(series);
  const lines = Array.from({ length: series.count }, (_, i) => [
    new Date(bucketStart(series, i)).toISOString(),
    new Date(bucketStart(series, i + 1)).toISOString(),
    ...columns.map(({ measure, part }) => series[measure][part][i] ?? ''),
    watered[i]?.count ?? 0,
    watered[i]?.ml ?? '',
  ]);
  return [['start_utc', 'end_utc', ...names, 'waterings', 'watered_ml'], ...lines]
    .map((fields) => `${fields.join(',')}\r\n`)
    .join('');
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
