import { measures } from '#domain/reading/reading.ts';
import { isoText } from '../plants/plant-json.ts';

/** JSON object of one reading, of columns that `prefix` leads to. */
export function readingJson(prefix = ''): string {
  const values = measures.map((measure) => `'${measure}', ${prefix}${measure}`);
  return `json_build_object('timestamp', ${isoText(`${prefix}ts`)}, ${values.join(', ')})`;
}

/** Enough to walk out of the hysteresis band in all but contrived series. */
export const recentReadings = 24;

/** The newest readings of plant p, newest first, as a JSON array. */
export const recentJson = `(SELECT coalesce(json_agg(${readingJson()} ORDER BY ts DESC), '[]') FROM (
  SELECT * FROM sensor_logs WHERE user_id = p.user_id AND plant_id = p.id
  ORDER BY ts DESC LIMIT ${recentReadings}
) newest)`;

/** The brightest reading (lux) of plant p in the 24 h before `now`, a parameter. */
export function brightestOf(now: string): string {
  return `(SELECT max(luminance) FROM sensor_logs WHERE user_id = p.user_id AND plant_id = p.id
    AND ts >= ${now}::timestamptz - interval '24 hours')`;
}
