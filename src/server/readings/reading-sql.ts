import { lightWindowMs } from '#domain/plant/health.ts';
import { measures } from '#domain/reading/reading.ts';
import { isoText } from '../database/moments.ts';

/** One reading as a JSON object; `prefix` leads to its columns, such as `r.`. */
export function readingJson(prefix = ''): string {
  const values = measures.map((measure) => `'${measure}', ${prefix}${measure}`);
  return `json_build_object('timestamp', ${isoText(`${prefix}ts`)}, ${values.join(', ')})`;
}

/** Joins the newest reading of plant p as r. The primary key finds it, however many readings there are. */
export const latestReadingJoin = `LEFT JOIN LATERAL (
  SELECT * FROM sensor_logs
  WHERE user_id = p.user_id AND plant_id = p.id
  ORDER BY ts DESC LIMIT 1
) r ON true`;

/** Enough readings to find one outside the hysteresis band in all but contrived series. */
export const recentReadings = 24;

/** The newest readings of plant p, newest first, as a JSON array. */
export const recentJson = `(SELECT coalesce(json_agg(${readingJson()} ORDER BY ts DESC), '[]') FROM (
  SELECT * FROM sensor_logs WHERE user_id = p.user_id AND plant_id = p.id
  ORDER BY ts DESC LIMIT ${recentReadings}
) newest)`;

/** The brightest reading (lux) of plant p in the 24 h before `now`, the name of a parameter. */
export function brightestOf(now: string): string {
  return `(SELECT max(luminance) FROM sensor_logs WHERE user_id = p.user_id AND plant_id = p.id
    AND ts >= ${startOfLightWindow(now)})`;
}

/** Where the 24 h begin that decide whether a plant gets enough light. */
export function startOfLightWindow(now: string): string {
  return `${now}::timestamptz - interval '${lightWindowMs / 1000} seconds'`;
}
