import type { SeriesResponse } from '#contract/series.ts';
import type { MeasureSeries } from '#domain/reading/bucket-series.ts';
import { type Measure, measures, type ReadingLog } from '#domain/reading/reading.ts';
import type { Random } from '../../../../support/seeded.ts';
import type { Account, TestServer } from '../../../../support/server/server.ts';

/** Readings at different random times (ms). Each measure but soil humidity is missing in about a tenth of them. */
export function randomReadings(
  random: Random,
  count: number,
  from: number,
  to: number,
): ReadingLog[] {
  const value = (end: number) => (random.chance(0.1) ? null : random.below(end * 100) / 100);
  const moments = new Set(Array.from({ length: count }, () => from + random.below(to - from)));
  return [...moments].map((moment) => ({
    timestamp: new Date(moment).toISOString(),
    soil_humidity: random.below(10_000) / 100,
    air_humidity: value(100),
    temperature: value(40),
    luminance: value(20_000),
  }));
}

/** Stores readings without marking the hours of late ones for a roll-up, as servers of version 0.1 do. */
export async function storeDirectly(
  { db }: TestServer,
  { userId }: Account,
  plantId: string,
  readings: readonly ReadingLog[],
): Promise<void> {
  await db.pool.query(
    `INSERT INTO sensor_logs (user_id, plant_id, ts, soil_humidity, air_humidity, temperature, luminance)
      SELECT $1, $2, * FROM unnest($3::timestamptz[], $4::float8[], $5::float8[], $6::float8[], $7::float8[])`,
    [
      userId,
      plantId,
      readings.map(({ timestamp }) => timestamp),
      ...measures.map((measure) => readings.map((log) => log[measure])),
    ],
  );
}

/** The series that a response should contain for its buckets, computed directly from the readings. */
export function naiveSeries(
  readings: readonly ReadingLog[],
  { start, step_seconds, count }: Pick<SeriesResponse, 'start' | 'step_seconds' | 'count'>,
): Record<Measure, MeasureSeries> {
  const bucketOf = ({ timestamp }: ReadingLog) =>
    Math.floor((Date.parse(timestamp) - Date.parse(start)) / (step_seconds * 1000));
  const seriesOf = (measure: Measure) => {
    const values = Array.from({ length: count }, (): number[] => []);
    for (const log of readings) {
      const value = log[measure];
      if (value !== null) values[bucketOf(log)]?.push(value);
    }
    const each = (aggregate: (all: number[]) => number) =>
      values.map((all) => (all.length === 0 ? null : aggregate(all)));
    return {
      min: each((all) => Math.min(...all)),
      max: each((all) => Math.max(...all)),
      mean: each((all) => all.reduce((sum, value) => sum + value, 0) / all.length),
    };
  };
  const [soil_humidity, air_humidity, temperature, luminance] = measures.map(seriesOf);
  if (!soil_humidity || !air_humidity || !temperature || !luminance) throw new Error('four');
  return { soil_humidity, air_humidity, temperature, luminance };
}
