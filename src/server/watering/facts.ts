import { possibleRange } from '#domain/reading/reading.ts';
import {
  needsOlderReadings,
  type PastCommand,
  type PastWatering,
  type SoilReading,
  wateringLimits,
} from '#domain/watering/rule.ts';
import { msOf } from '../database/moments.ts';
import type { Queryable } from '../database/transaction.ts';
import type { LoggedPlant } from '../readings/logged-plants.ts';
import { recentReadings } from '../readings/queries.ts';

/**
 * A plant's soil readings as the rule needs them, newest first. Usually these are the recent readings. If the sensor
 * reports every few seconds, too few of them may be far enough apart. If automatic watering is on, the result is then
 * the newest reading and at most two older ones that are far enough apart.
 */
export async function soilReadings(
  db: Queryable,
  plant: Pick<LoggedPlant, 'userId' | 'id' | 'auto_watering_enabled' | 'recent'>,
): Promise<SoilReading[]> {
  const { userId, id, auto_watering_enabled, recent } = plant;
  const readings = recent.map(({ timestamp, soil_humidity: soil }) => ({
    at: Date.parse(timestamp),
    soil,
  }));
  const [newest] = readings;
  const mayHaveOlder = auto_watering_enabled && recent.length === recentReadings;
  if (!newest || !mayHaveOlder || !needsOlderReadings(readings)) return readings;
  const { rows: older } = await db.query<SoilReading>({
    name: 'spaced-soil-readings',
    text: `WITH RECURSIVE spaced AS (
        SELECT $3::timestamptz AS ts, NULL::float8 AS soil_humidity, 1 AS place
        UNION ALL
        SELECT older.ts, older.soil_humidity, spaced.place + 1
        FROM spaced CROSS JOIN LATERAL (
          SELECT ts, soil_humidity FROM sensor_logs
          WHERE user_id = $1::uuid AND plant_id = $2::uuid
            AND ts <= spaced.ts - ${seconds(wateringLimits.minGapMs)} AND ts >= $3 - ${seconds(wateringLimits.maxSpanMs)}
            AND soil_humidity BETWEEN ${soilRange.min} AND ${soilRange.max}
          ORDER BY ts DESC LIMIT 1
        ) older
        WHERE spaced.place < ${wateringLimits.minReadings}
      )
      SELECT ${msOf('ts')} AS at, soil_humidity AS soil FROM spaced WHERE place > 1 ORDER BY place`,
    values: [userId, id, new Date(newest.at)],
  });
  return [newest, ...older];
}

const soilRange = possibleRange.soil_humidity;

function seconds(ms: number): string {
  return `interval '${ms / 1000} seconds'`;
}

interface KnownPlant {
  userId: string;
  id: string;
  /** ms */
  unlockedAt: number | null;
}

/**
 * The history that a decision to water needs: waterings by hand and commands of the last 24 h, and the last three
 * commands since automatic watering was unlocked.
 */
export async function wateringHistory(
  db: Queryable,
  { userId, id, unlockedAt }: KnownPlant,
  now: Date,
): Promise<{ manualWaterings: PastWatering[]; commands: PastCommand[] }> {
  // A command counts towards the limits at its expiry, so one that was issued before the last 24 h may still count.
  const { windowMs, soakMs, commandLifeMs } = wateringLimits;
  const since = new Date(now.getTime() - Math.max(windowMs, soakMs) - commandLifeMs);
  const { rows: manualWaterings } = await db.query<PastWatering>({
    name: 'manual-waterings',
    text: `SELECT ${msOf('watered_at')} AS at, max(coalesce(amount_ml, $4)) AS "amountMl" FROM waterings
      WHERE user_id = $1::uuid AND plant_id = $2::uuid AND watered_at > $3 AND source = 'manual'
      GROUP BY coalesce(copy_of, id), watered_at`,
    values: [userId, id, since, wateringLimits.runMl],
  });
  const { rows: commands } = await db.query<PastCommand>({
    name: 'past-commands',
    text: `SELECT ${msOf('c.issued_at')} AS "issuedAt", ${msOf('c.expires_at')} AS "expiresAt",
        c.amount_ml AS "amountMl", c.status, c.reported_ml AS "reportedMl", c.soil_before AS "soilBefore",
        (SELECT percentile_disc(0.25) WITHIN GROUP (ORDER BY soil_humidity DESC) FROM sensor_logs
          WHERE user_id = $1::uuid AND plant_id = c.plant_id
            AND ts > c.issued_at AND ts <= c.issued_at + $4 * interval '1 millisecond') AS "soilQuartileAfter"
      FROM watering_commands c
      WHERE c.user_id = $1::uuid AND c.plant_id = $2::uuid AND (c.issued_at > $3 OR c.id IN (
        SELECT id FROM watering_commands WHERE user_id = $1::uuid AND plant_id = $2::uuid
          AND issued_at > coalesce($5, '-infinity'::timestamptz)
        ORDER BY issued_at DESC LIMIT ${wateringLimits.maxFailures}))`,
    values: [userId, id, since, wateringLimits.effectMs, dateOf(unlockedAt)],
  });
  return { manualWaterings, commands };
}

function dateOf(moment: number | null): Date | null {
  return moment === null ? null : new Date(moment);
}
