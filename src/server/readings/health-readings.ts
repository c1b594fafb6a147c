import {
  hysteresisMs,
  limitsOf,
  type Thresholds,
  undecidedMeasures,
} from '#domain/plant/health.ts';
import { type Measure, measures, type ReadingLog } from '#domain/reading/reading.ts';
import { isoText } from '../database/moments.ts';
import type { Queryable } from '../database/transaction.ts';
import type { PlantKey } from '../plants/schema.ts';
import { recentReadings } from './queries.ts';

/**
 * The readings by which a plant's health is judged: the recent ones, newest first, and older ones of the last 24 h:
 *
 * - the newest value of each measure that no recent reading contains, because another sensor of the device reports more
 *   often. `findsMissing` false leaves this out: it is a statement for each reading if no sensor reports the measure.
 * - if all these values of a measure are within the hysteresis band of a threshold, the newest older one outside the
 *   band.
 */
export async function healthReadings(
  db: Queryable,
  plant: Thresholds & PlantKey,
  recent: readonly ReadingLog[],
  { now, findsMissing }: { now: Date; findsMissing: boolean },
): Promise<ReadingLog[]> {
  const readings = [...recent];
  const oldest = recent.at(-1);
  if (!oldest || recent.length < recentReadings) return readings;
  const since = new Date(now.getTime() - hysteresisMs);
  const scope = [plant.userId, plant.id, since, oldest.timestamp];
  for (const measure of findsMissing ? missingMeasures(plant, recent) : []) {
    readings.push(
      ...(await newestOlder(db, measure, {
        name: `newest-${measure}`,
        condition: `${measure} IS NOT NULL`,
        values: scope,
      })),
    );
  }
  for (const measure of undecidedMeasures(plant, readings)) {
    const { min, max, innerMin, innerMax } = limitsOf(measure, plant);
    readings.push(
      ...(await newestOlder(db, measure, {
        name: `decisive-${measure}`,
        condition: `(${measure} < $5::float8 OR ${measure} > $6::float8
          OR ${measure} BETWEEN $7::float8 AND $8::float8)`,
        values: [...scope, min, max, innerMin, innerMax],
      })),
    );
  }
  return readings;
}

/** The measures with thresholds that no recent reading contains. */
function missingMeasures(plant: Thresholds, recent: readonly ReadingLog[]): Measure[] {
  return measures.filter((measure) => {
    const { min, max } = limitsOf(measure, plant);
    const isJudged = Number.isFinite(min) || Number.isFinite(max);
    return isJudged && recent.every((reading) => reading[measure] === null);
  });
}

/**
 * The newest value that meets the condition, as a reading; none if there is none. The first values are account, plant,
 * start and end of the search.
 */
async function newestOlder(
  db: Queryable,
  measure: Measure,
  { name, condition, values }: { name: string; condition: string; values: unknown[] },
): Promise<ReadingLog[]> {
  const { rows } = await db.query<{ timestamp: string; value: number }>({
    name,
    text: `SELECT ${isoText('ts')} AS timestamp, ${measure} AS value FROM sensor_logs
      WHERE user_id = $1::uuid AND plant_id = $2::uuid AND ts >= $3 AND ts < $4 AND ${condition}
      ORDER BY ts DESC LIMIT 1`,
    values,
  });
  return rows.map(({ timestamp, value }) => ({ ...noValues, timestamp, [measure]: value }));
}

const noValues = { soil_humidity: null, air_humidity: null, temperature: null, luminance: null };
