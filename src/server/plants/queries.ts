import { plantFieldNames } from '#domain/plant/fields.ts';
import { healthAt, healthFromReadings, type ServerHealth } from '#domain/plant/health.ts';
import type { ReadingLog } from '#domain/reading/reading.ts';
import { autoWateringNote, waitStatusAt } from '#domain/watering/reasons.ts';
import type { WaitReason } from '#domain/watering/rule.ts';
import { isoText, msOf } from '../database/moments.ts';
import type { Queryable } from '../database/transaction.ts';
import { brightestOf, latestReadingJoin, recentJson } from '../readings/reading-sql.ts';

/**
 * PostgreSQL writes a plant as the wire's JSON text, so that a list is not rebuilt object by object in JavaScript.
 * Only the fields that depend on the time are decided here, by the domain's rules, and appended to that text.
 */
interface PlantRow {
  /** The record without the fields that depend on the time. */
  json: string;
  version: number;
  health: ServerHealth;
  auto_watering_enabled: boolean;
  device_id: string | null;
  soil_humidity_threshold_min: number | null;
  reason: WaitReason | null;
  /** ms */
  reasonSince: number | null;
  /** ms */
  lastReadingAt: number | null;
}

const moments = ['date_added', 'last_watered', 'next_watering_date', 'last_fertilized'];

const recordEntries = [
  `'id', p.id`,
  ...[...plantFieldNames, 'reminder_enabled'].map((name) => `'${name}', p.${name}`),
  ...moments.map((name) => `'${name}', ${isoText(`p.${name}`)}`),
  `'age', NULL`,
];

const latestEntries = [
  `'latest_soil_humidity', r.soil_humidity`,
  `'latest_air_humidity', r.air_humidity`,
  `'latest_temperature', r.temperature`,
  `'latest_luminance', r.luminance`,
  `'last_reading_time', ${isoText('r.ts')}`,
];

/** Rows of plants p with their newest reading r; `entries` make up the JSON. */
function selectPlants(entries: readonly string[]): string {
  return `SELECT json_build_object(${entries.join(', ')})::text AS json, p.version, p.health_status AS health,
      p.auto_watering_enabled, p.device_id, p.soil_humidity_threshold_min,
      p.auto_watering_reason AS reason, ${msOf('p.auto_watering_reason_since')} AS "reasonSince",
      ${msOf('r.ts')} AS "lastReadingAt"
    FROM plants p ${latestReadingJoin}`;
}

function jsonAt(plant: PlantRow, now: Date): string {
  const { lastReadingAt } = plant;
  const lastDecision = { reason: plant.reason, since: plant.reasonSince };
  const status = waitStatusAt(plant, { lastDecision, lastReadingAt }, now.getTime());
  const wait = {
    auto_watering_reason: status.reason,
    auto_watering_since: status.since === null ? null : new Date(status.since).toISOString(),
  };
  const entries = {
    health_status: healthAt(plant.health, lastReadingAt, now.getTime()),
    ...wait,
    // Apps installed before there were reason codes show these words as they are.
    auto_watering_note: autoWateringNote(wait, now.getTime()),
  };
  return `${plant.json.slice(0, -1)}, ${JSON.stringify(entries).slice(1)}`;
}

/** All plants of an account as one JSON array, oldest first. */
export function readPlants(db: Queryable, userId: string, now: Date): Promise<string> {
  return readList(db, 'plants', recordEntries, userId, now);
}

/** The same, each plant with the values of its newest reading. */
export function readPlantsWithReadings(db: Queryable, userId: string, now: Date): Promise<string> {
  return readList(db, 'plants-with-readings', [...recordEntries, ...latestEntries], userId, now);
}

async function readList(
  db: Queryable,
  name: string,
  entries: readonly string[],
  userId: string,
  now: Date,
): Promise<string> {
  const { rows } = await db.query<PlantRow>({
    name,
    text: `${selectPlants(entries)} WHERE p.user_id = $1 ORDER BY p.date_added, p.id`,
    values: [userId],
  });
  return `[${rows.map((plant) => jsonAt(plant, now)).join(', ')}]`;
}

/** One plant as JSON with its version, or null when the account has no such plant. */
export async function readPlant(
  db: Queryable,
  userId: string,
  id: string,
  now: Date,
): Promise<{ json: string; version: number } | null> {
  const { rows } = await db.query<PlantRow>({
    name: 'plant',
    text: `${selectPlants(recordEntries)} WHERE p.user_id = $1 AND p.id = $2`,
    values: [userId, id],
  });
  const [plant] = rows;
  return plant ? { json: jsonAt(plant, now), version: plant.version } : null;
}

type ThresholdsOfPlant = Parameters<typeof healthFromReadings>[0] & { userId: string; id: string };

/** A plant's health by the readings that are stored, judged by the thresholds that are passed. */
export async function judgeHealth(
  db: Queryable,
  plant: ThresholdsOfPlant,
  now: Date,
): Promise<ServerHealth> {
  const { rows } = await db.query<{ recent: ReadingLog[]; brightest: number | null }>({
    name: 'recent-readings',
    text: `SELECT ${recentJson} AS recent, ${brightestOf('$3')} AS brightest
      FROM plants p WHERE p.user_id = $1::uuid AND p.id = $2::uuid`,
    values: [plant.userId, plant.id, now],
  });
  const { recent = [], brightest = null } = rows[0] ?? {};
  return healthFromReadings(plant, recent, now.getTime(), brightest);
}
