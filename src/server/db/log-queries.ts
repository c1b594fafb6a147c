import { sql } from 'drizzle-orm';
import type { LogPayload, LogsQuery } from '#contract/logs.ts';
import { measures } from '#domain/reading.ts';
import type { Database, Transaction } from './database.ts';
import type { HealthPlant } from './health-now.ts';
import { isoText, latestReadingJoin } from './plant-json.ts';

const defaultLimit = 200;

const logJson = `json_build_object('timestamp', ${isoText('ts')}, ${measures
  .map((measure) => `'${measure}', ${measure}`)
  .join(', ')})`;

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
        SELECT coalesce(json_agg(${logJson} ORDER BY ts DESC), '[]')
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
    text: `SELECT ${logJson.replaceAll(/\bts\b/g, 'r.ts')}::text AS json
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

/** Per measure min, max, avg and count over all readings; null when the account has no such plant. */
export async function readSummary(db: Database, userId: string, plantId: string) {
  const { rows } = await db.pool.query<{ json: string }>({
    name: 'logs-summary',
    text: `SELECT json_build_object(${summaryOf}, 'from', ${isoText('min(l.ts)')}, 'to', ${isoText('max(l.ts)')})::text AS json
      FROM plants p LEFT JOIN sensor_logs l ON l.user_id = p.user_id AND l.plant_id = p.id
      WHERE p.user_id = $1 AND p.id = $2 GROUP BY p.id`,
    values: [userId, plantId],
  });
  return rows[0]?.json ?? null;
}

/** What ingest needs to know of the plant that a reading belongs to. */
export type LoggedPlant = HealthPlant & { health_status: string };

/**
 * Stores a reading of the account's plant, found by plant or device id, in one statement; the same moment again
 * replaces it. Answers the plants it was stored for: none (unknown), one, or several that share a device and are
 * left alone. They stay locked until the transaction ends, so that health follows the order of readings and no
 * plant is deleted in between.
 */
export async function insertLog(
  tx: Pick<Transaction, 'execute'>,
  userId: string,
  log: LogPayload,
  ts: Date,
): Promise<LoggedPlant[]> {
  const plantId = log.plant_id ?? null;
  const values = measures.map((measure) => sql`${log[measure]}::double precision`);
  const { rows } = await tx.execute<LoggedPlant & Record<string, unknown>>(sql`
    WITH target AS (
      SELECT * FROM plants p WHERE p.user_id = ${userId} AND ${
        plantId === null ? sql`p.device_id = ${log.device_id}` : sql`p.id::text = ${plantId}`
      } FOR NO KEY UPDATE
    ), stored AS (
      INSERT INTO sensor_logs (user_id, plant_id, ts, soil_humidity, air_humidity, temperature, luminance)
      SELECT user_id, id, ${ts.toISOString()}::timestamptz, ${sql.join(values, sql`, `)} FROM target
      WHERE (SELECT count(*) FROM target) = 1
      ON CONFLICT (user_id, plant_id, ts) DO UPDATE SET
        soil_humidity = excluded.soil_humidity, air_humidity = excluded.air_humidity,
        temperature = excluded.temperature, luminance = excluded.luminance
    )
    SELECT *, user_id AS "userId" FROM target`);
  return rows;
}
