import type { LogsQuery } from '#contract/logs.ts';
import { lightWindowMs } from '#domain/plant/health.ts';
import { measures } from '#domain/reading/reading.ts';
import type { Database } from '../database/database.ts';
import { isoText } from '../database/moments.ts';

const defaultLimit = 200;

/** A plant's readings as a JSON array, newest first; null when the account has no such plant. */
export async function readLogs(
  db: Database,
  userId: string,
  plantId: string,
  query: LogsQuery,
): Promise<string | null> {
  const { rows } = await db.pool.query<{ json: string }>({
    name: 'logs',
    text: `SELECT (
        SELECT coalesce(json_agg(${readingJson()} ORDER BY ts DESC), '[]')
        FROM (
          SELECT * FROM sensor_logs
          WHERE user_id = $1 AND plant_id = $2
            AND ts >= coalesce($3, '-infinity'::timestamptz) AND ts <= coalesce($4, 'infinity'::timestamptz)
          ORDER BY ts DESC LIMIT $5
        ) newest
      )::text AS json
      FROM plants WHERE user_id = $1 AND id = $2`,
    values: [userId, plantId, dateOf(query.from), dateOf(query.to), query.limit ?? defaultLimit],
  });
  return rows[0]?.json ?? null;
}

function dateOf(moment: string | undefined): Date | null {
  return moment === undefined ? null : new Date(moment);
}

/** The newest reading as JSON, all null when there is none; null when the account has no such plant. */
export async function readLatest(db: Database, userId: string, plantId: string) {
  const { rows } = await db.pool.query<{ json: string }>({
    name: 'latest-readings',
    text: `SELECT ${readingJson('r.')}::text AS json
      FROM plants p ${latestReadingJoin}
      WHERE p.user_id = $1 AND p.id = $2`,
    values: [userId, plantId],
  });
  return rows[0]?.json ?? null;
}

const summaryOf = measures
  .map(
    (m) =>
      `'${m}', json_build_object('min', min(l.${m}), 'max', max(l.${m}), 'avg', avg(l.${m}), 'count', count(l.${m}))`,
  )
  .join(', ');

/** Minimum, maximum, mean and count of each measure over all readings; null when the account has no such plant. */
export async function readSummary(db: Database, userId: string, plantId: string) {
  const { rows } = await db.pool.query<{ json: string }>({
    name: 'logs-summary',
    text: `SELECT json_build_object(${summaryOf}, 'from', ${isoText('min(l.ts)')}, 'to', ${isoText('max(l.ts)')})::text AS json
      FROM plants p LEFT JOIN sensor_logs l ON l.user_id = $1 AND l.plant_id = p.id
      WHERE p.user_id = $1 AND p.id = $2 GROUP BY p.id`,
    values: [userId, plantId],
  });
  return rows[0]?.json ?? null;
}

/** SQL: one reading as a JSON object. `prefix`: the table alias before its column names, such as `r.`. */
export function readingJson(prefix = ''): string {
  const values = measures.map((measure) => `'${measure}', ${prefix}${measure}`);
  return `json_build_object('timestamp', ${isoText(`${prefix}ts`)}, ${values.join(', ')})`;
}

/**
 * Joins the newest reading of plant p of the account $1 as r. Uses the primary key, so its cost does not grow with the
 * number of readings.
 */
export const latestReadingJoin = `LEFT JOIN LATERAL (
  SELECT * FROM sensor_logs
  WHERE user_id = $1::uuid AND plant_id = p.id
  ORDER BY ts DESC LIMIT 1
) r ON true`;

/**
 * Usually enough readings to find every measure, and outside its hysteresis band; otherwise healthReadings loads older
 * ones.
 */
export const recentReadings = 24;

/** SQL: the newest readings of plant p of `account`, newest first, as a JSON array. */
export function recentJson(account = '$1::uuid'): string {
  return `(SELECT coalesce(json_agg(${readingJson()} ORDER BY ts DESC), '[]') FROM (
    SELECT * FROM sensor_logs WHERE user_id = ${account} AND plant_id = p.id
    ORDER BY ts DESC LIMIT ${recentReadings}
  ) newest)`;
}

/** SQL: the brightest reading (lux) of plant p of `account` since 24 h before `now`, a parameter such as `$4`. */
export function brightestOf(now: string, account = '$1::uuid'): string {
  return `(SELECT max(luminance) FROM sensor_logs WHERE user_id = ${account} AND plant_id = p.id
    AND ts >= ${startOfLightWindow(now)})`;
}

/** SQL: the start of the 24 h in which a plant must get enough light. */
function startOfLightWindow(now: string): string {
  return `${now}::timestamptz - interval '${lightWindowMs / 1000} seconds'`;
}
