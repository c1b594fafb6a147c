import { plantFieldNames } from '#domain/plant/fields.ts';
import { noteSql } from './auto-watering-note-sql.ts';

/**
 * Plants leave the database as JSON text in the wire's shape: one fragment serves every answer, and a list of
 * fifty plants is never rebuilt object by object in JavaScript.
 */

/** ISO 8601 UTC with milliseconds, as JavaScript writes it. */
export function isoText(column: string): string {
  return `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

/** Milliseconds since 1970, as JavaScript counts. */
export function msOf(column: string): string {
  return `(extract(epoch FROM ${column}) * 1000)::float8`;
}

const fields = [...plantFieldNames, 'reminder_enabled'];
const moments = ['date_added', 'last_watered', 'next_watering_date', 'last_fertilized'];

/** Newest reading of plant p; flat in the number of readings, by the primary key. */
export const latestReadingJoin = `LEFT JOIN LATERAL (
  SELECT * FROM sensor_logs
  WHERE user_id = p.user_id AND plant_id = p.id
  ORDER BY ts DESC LIMIT 1
) r ON true`;

/** JSON object of plant p with its latest reading r; `now` is a parameter: a reading of yesterday counts as none. */
function entries(now: string): string[] {
  return [
    `'id', p.id`,
    ...fields.map((name) => `'${name}', p.${name}`),
    ...moments.map((name) => `'${name}', ${isoText(`p.${name}`)}`),
    `'age', NULL`,
    `'health_status', CASE WHEN r.ts IS NULL OR r.ts < ${now}::timestamptz - interval '24 hours' THEN 'Unknown' ELSE p.health_status END`,
    `'auto_watering_note', ${noteSql(now)}`,
  ];
}

const latestEntries = [
  `'latest_soil_humidity', r.soil_humidity`,
  `'latest_air_humidity', r.air_humidity`,
  `'latest_temperature', r.temperature`,
  `'latest_luminance', r.luminance`,
  `'last_reading_time', ${isoText('r.ts')}`,
];

export function plantJson(now: string): string {
  return `json_build_object(${entries(now).join(', ')})`;
}

export function plantWithReadingsJson(now: string): string {
  return `json_build_object(${[...entries(now), ...latestEntries].join(', ')})`;
}
