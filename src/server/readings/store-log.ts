import type { LogPayload } from '#contract/logs.ts';
import { lightWindowMs, type ServerHealth, type Thresholds } from '#domain/plant/health.ts';
import { measures, type ReadingLog } from '#domain/reading/reading.ts';
import type { WaitReason } from '#domain/watering/rule.ts';
import { msOf } from '../database/moments.ts';
import type { Queryable } from '../database/transaction.ts';
import { isUuid } from '../http/request-input.ts';
import { nextChange, replaceChange } from '../plants/changes.ts';
import { brightestOf, recentJson, recentReadings, startOfLightWindow } from './queries.ts';

/** The fields of a reading's plant that ingest needs. */
export interface LoggedPlant extends Thresholds {
  userId: string;
  id: string;
  device_id: string | null;
  auto_watering_enabled: boolean;
  reason: WaitReason | null;
  isLocked: boolean;
  /** ms */
  unlockedAt: number | null;
  health: ServerHealth;
  /** Newest first, including the stored one. */
  recent: ReadingLog[];
  /** lux, the brightest of the last 24 h */
  brightest: number | null;
}

/**
 * Locks the plant until the transaction ends. It must be a separate statement: a statement that waits for the lock
 * does not see readings committed while it waited.
 */
export async function lockLoggedPlant(
  db: Queryable,
  userId: string,
  log: LogPayload,
): Promise<void> {
  const by = lookupOf(log);
  if (by === null) return;
  await db.query({
    name: `lock-plant-by-${by}`,
    text: `SELECT 1 FROM plants p WHERE p.user_id = $1::uuid AND ${conditionBy[by]} FOR NO KEY UPDATE`,
    values: [userId, log.plant_id ?? log.device_id],
  });
}

/** How a reading identifies its plant; null for an id that no plant can have. */
function lookupOf({ plant_id }: LogPayload): 'plant' | 'device' | null {
  if (plant_id === undefined) return 'device';
  return isUuid(plant_id) ? 'plant' : null;
}

const conditionBy = { plant: 'p.id = $2::uuid', device: 'p.device_id = $2::text' };

/**
 * Stores a reading of the account's plant, found by plant or device id, in one statement; a reading with the same
 * timestamp is replaced. Resolves to the plants that match: none (unknown), one, or several that share a device, for
 * which nothing is stored. In a transaction they stay locked until its end, so that readings update health in their
 * order and no plant is deleted in between.
 *
 * `isCounted` records the change in the same statement. A transaction records it at its end instead, see recordChange.
 */
export async function storeLog(
  db: Queryable,
  userId: string,
  log: LogPayload,
  { ts, now, isCounted }: { ts: Date; now: Date; isCounted: boolean },
): Promise<LoggedPlant[]> {
  const by = lookupOf(log);
  if (by === null) return [];
  const { rows } = await db.query<LoggedPlant>({
    name: `store-log-by-${by}${isCounted ? '-counted' : ''}`,
    text: (isCounted ? countedBy : statementBy)[by],
    values: [
      userId,
      log.plant_id ?? log.device_id,
      ts,
      ...measures.map((measure) => log[measure]),
      now,
    ],
  });
  return rows.map((plant) => withReading(plant, { ...log, timestamp: ts.toISOString() }, now));
}

const thresholds = measures
  .flatMap((measure) => [`p.${measure}_threshold_min`, `p.${measure}_threshold_max`])
  .join(', ');

const statementBy = {
  plant: storeStatement(conditionBy.plant),
  device: storeStatement(conditionBy.device),
};

/** The plant is locked first, by `target`, then the counter: see recordChange. */
const counting = {
  parts: `counter AS (
      INSERT INTO change_counters AS known (user_id, last)
      SELECT user_id, 1 FROM target WHERE (SELECT count(*) FROM target) = 1 ${nextChange}
    ), changed AS (
      INSERT INTO plant_changes AS known (user_id, plant_id, change, record_change, last_reading_at)
      SELECT user_id, id, last, last, $3::timestamptz FROM target, counter ${replaceChange('true', '$8')}
    ),`,
  number: '(SELECT last FROM counter)',
};

const countedBy = {
  plant: storeStatement(conditionBy.plant, counting),
  device: storeStatement(conditionBy.device, counting),
};

/** The statement returns the earlier readings, since it does not see the one that it stores; withReading adds that. */
function storeStatement(condition: string, counting?: { parts: string; number: string }): string {
  return `
    WITH target AS (
      SELECT * FROM plants p WHERE p.user_id = $1::uuid AND ${condition} FOR NO KEY UPDATE
    ), ${counting?.parts ?? ''} stored AS (
      INSERT INTO sensor_logs (user_id, plant_id, ts, soil_humidity, air_humidity, temperature, luminance, change)
      SELECT user_id, id, $3::timestamptz, $4::float8, $5::float8, $6::float8, $7::float8, ${counting?.number ?? 'NULL'} FROM target
      WHERE (SELECT count(*) FROM target) = 1
      ON CONFLICT (user_id, plant_id, ts) DO UPDATE SET
        soil_humidity = excluded.soil_humidity, air_humidity = excluded.air_humidity,
        temperature = excluded.temperature, luminance = excluded.luminance, change = excluded.change
    )
    SELECT p.user_id AS "userId", p.id, p.health_status AS health, p.device_id,
      ${thresholds},
      p.auto_watering_enabled, p.auto_watering_reason AS reason,
      p.auto_watering_locked AS "isLocked", ${msOf('p.auto_watering_since')} AS "unlockedAt",
      ${recentJson} AS recent,
      CASE WHEN p.luminance_threshold_min IS NULL THEN NULL
        WHEN $7::float8 >= p.luminance_threshold_min AND $3 >= ${startOfLightWindow('$8')} THEN $7::float8
        ELSE ${brightestOf('$8')} END AS brightest
    FROM target p`;
}

function withReading(plant: LoggedPlant, reading: ReadingLog & LogPayload, now: Date): LoggedPlant {
  const { timestamp, luminance } = reading;
  const others = plant.recent.filter((known) => known.timestamp !== timestamp);
  const newestFirst = [...others, readingOf(reading)].sort(
    (a, b) => Date.parse(b.timestamp) - Date.parse(a.timestamp),
  );
  const isInWindow = now.getTime() - Date.parse(timestamp) <= lightWindowMs;
  return {
    ...plant,
    recent: newestFirst.slice(0, recentReadings),
    brightest: isInWindow ? brighter(plant.brightest, luminance) : plant.brightest,
  };
}

function readingOf(reading: ReadingLog): ReadingLog {
  const { timestamp, soil_humidity, air_humidity, temperature, luminance } = reading;
  return { timestamp, soil_humidity, air_humidity, temperature, luminance };
}

function brighter(a: number | null, b: number | null): number | null {
  if (a === null || b === null) return a ?? b;
  return Math.max(a, b);
}
