import { type BucketSeries, bucketStart, wateringsByBucket } from './bucket-series.ts';
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
