import { plantFieldNames } from '#domain/plant.ts';

/**
 * Plants leave the database as JSON text in the wire's shape: one fragment serves every answer, and a list of
 * fifty plants is never rebuilt object by object in JavaScript.
 */

/** ISO 8601 UTC with milliseconds, as JavaScript writes it. */
export function isoText(column: string): string {
  return `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

const fields = [...plantFieldNames, 'reminder_enabled'];
const moments = ['date_added', 'last_watered', 'next_watering_date', 'last_fertilized'];

/** Newest reading of plant p; flat in the number of readings, by the primary key. */
export const latestReadingJoin = `LEFT JOIN LATERAL (
  SELECT * FROM sensor_logs
  WHERE user_id = p.user_id AND plant_id = p.id
  ORDER BY ts DESC LIMIT 1
) r ON true`;

/** JSON object of plant p with its latest reading r; `stale` is the parameter before which a reading counts as none. */
function entries(stale: string): string[] {
  return [
    `'id', p.id`,
    ...fields.map((name) => `'${name}', p.${name}`),
    ...moments.map((name) => `'${name}', ${isoText(`p.${name}`)}`),
    `'age', NULL`,
    `'health_status', CASE WHEN r.ts IS NULL OR r.ts < ${stale} THEN 'Unknown' ELSE p.health_status END`,
  ];
}

const latestEntries = [
  `'latest_soil_humidity', r.soil_humidity`,
  `'latest_air_humidity', r.air_humidity`,
  `'latest_temperature', r.temperature`,
  `'latest_luminance', r.luminance`,
  `'last_reading_time', ${isoText('r.ts')}`,
];

export function plantJson(stale: string): string {
  return `json_build_object(${entries(stale).join(', ')})`;
}

export function plantWithReadingsJson(stale: string): string {
  return `json_build_object(${[...entries(stale), ...latestEntries].join(', ')})`;
}
