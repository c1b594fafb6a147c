import type { MeasureSeries } from '#domain/reading/bucket-series.ts';
import { spreadText } from '#domain/reading/optimal-range.ts';
import type { Measure } from '#domain/reading/reading.ts';

/** The mean of a bucket with lowest and highest; null where the measure was not reported. */
export function bucketValueText(
  measure: Measure,
  { min, max, mean }: MeasureSeries,
  index: number,
): string | null {
  const [low, middle, high] = [min[index] ?? null, mean[index] ?? null, max[index] ?? null];
  if (low === null || middle === null || high === null) return null;
  return spreadText(measure, middle, low, high);
}
