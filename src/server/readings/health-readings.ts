import {
  hysteresisMs,
  limitsOf,
  type Thresholds,
  undecidedMeasures,
} from '#domain/plant/health.ts';
import type { ReadingLog } from '#domain/reading/reading.ts';
import { isoText } from '../database/moments.ts';
import type { Queryable } from '../database/transaction.ts';
import type { PlantKey } from '../plants/schema.ts';
import { recentReadings } from './queries.ts';

/**
 * The readings by which a plant's health is judged: the recent ones, newest first. If all recent values of a measure
 * are within the hysteresis band of a threshold, the newest older value outside the band is added, if there is one in
 * the last 24 h.
 */
export async function healthReadings(
  db: Queryable,
  plant: Thresholds & PlantKey,
  recent: readonly ReadingLog[],
  now: Date,
): Promise<ReadingLog[]> {
  const readings = [...recent];
  const oldest = recent.at(-1);
  if (!oldest || recent.length < recentReadings) return readings;
  for (const measure of undecidedMeasures(plant, recent)) {
    const { min, max, innerMin, innerMax } = limitsOf(measure, plant);
    const { rows } = await db.query<{ timestamp: string; value: number }>({
      name: `decisive-${measure}`,
      text: `SELECT ${isoText('ts')} AS timestamp, ${measure} AS value FROM sensor_logs
        WHERE user_id = $1::uuid AND plant_id = $2::uuid AND ts >= $3 AND ts < $4
          AND (${measure} < $5::float8 OR ${measure} > $6::float8 OR ${measure} BETWEEN $7::float8 AND $8::float8)
        ORDER BY ts DESC LIMIT 1`,
      values: [
        ...[plant.userId, plant.id, new Date(now.getTime() - hysteresisMs), oldest.timestamp],
        ...[min, max, innerMin, innerMax],
      ],
    });
    for (const { timestamp, value } of rows) {
      readings.push({ ...noValues, timestamp, [measure]: value });
    }
  }
  return readings;
}

const noValues = { soil_humidity: null, air_humidity: null, temperature: null, luminance: null };
