import { plantFieldNames } from '#domain/plant/fields.ts';
import { healthAt, healthFromReadings, type ServerHealth } from '#domain/plant/health.ts';
import { measures, type ReadingLog } from '#domain/reading/reading.ts';
import { autoWateringNote, waitStatusAt } from '#domain/watering/reasons.ts';
import { type RulePlant, ruleFields, type WaitReason } from '#domain/watering/rule.ts';
import { isoText, msOf } from '../database/moments.ts';
import type { Queryable } from '../database/transaction.ts';
import { versionEtag } from '../http/etag.ts';
import { healthReadings } from '../readings/health-readings.ts';
import { brightestOf, latestReadingJoin, recentJson } from '../readings/queries.ts';
import { currentState, type ListVersion } from './changes.ts';
import type { PlantKey } from './schema.ts';

/**
 * PostgreSQL writes a plant as the JSON text of the API, so that JavaScript does not rebuild a list object by object.
 * Only the ETag and the fields that the domain's rules compute for the current time are appended to that text here.
 */
export interface PlantJsonRow extends RulePlant {
  /** The record without its ETag and the fields that depend on the time. */
  json: string;
  version: number;
  health: ServerHealth;
  reason: WaitReason | null;
  /** ms */
  reasonSince: number | null;
  isLocked: boolean;
  /** ms */
  lastReadingAt: number | null;
}

const moments = [
  'date_added',
  'last_watered',
  'next_watering_date',
  'last_fertilized',
  'snoozed_until',
];

const recordEntries = [
  `'id', p.id`,
  ...plantFieldNames.map((name) => `'${name}', p.${name}`),
  ...moments.map((name) => `'${name}', ${isoText(`p.${name}`)}`),
  `'journal_version', p.journal_version`,
  `'age', NULL`,
];

const latestEntries = [
  ...measures.map((measure) => `'latest_${measure}', r.${measure}`),
  `'last_reading_time', ${isoText('r.ts')}`,
];

/**
 * A list of plants that clients request. `name`: the start of the names of its prepared statements. `entries`: SQL for
 * the keys and values of a plant's JSON object.
 */
export interface PlantList {
  name: string;
  entries: readonly string[];
  hasReadings: boolean;
}

export const plantList: PlantList = { name: 'plants', entries: recordEntries, hasReadings: false };

/** The same, each plant with the values of its newest reading. */
export const plantListWithReadings: PlantList = {
  name: 'plants-with-readings',
  entries: [...recordEntries, ...latestEntries],
  hasReadings: true,
};

/** Selects plants p with their newest reading r: a PlantJsonRow whose JSON has these entries, and more columns if given. */
export function selectPlants(
  entries: readonly string[],
  moreColumns: readonly string[] = [],
): string {
  const more = moreColumns.map((column) => `, ${column}`).join('');
  return `SELECT json_build_object(${entries.join(', ')})::text AS json, p.version, p.health_status AS health,
      ${ruleFields.map((name) => `p.${name}`).join(', ')},
      p.auto_watering_reason AS reason, ${msOf('p.auto_watering_reason_since')} AS "reasonSince",
      p.auto_watering_locked AS "isLocked", ${msOf('r.ts')} AS "lastReadingAt"${more}
    FROM plants p ${latestReadingJoin}`;
}

export function jsonAt(plant: PlantJsonRow, now: Date): string {
  const { lastReadingAt, isLocked } = plant;
  const lastDecision = { reason: plant.reason, since: plant.reasonSince };
  const status = waitStatusAt(plant, { lastDecision, lastReadingAt, isLocked }, now.getTime());
  const wait = {
    auto_watering_reason: status.reason,
    auto_watering_since: status.since === null ? null : new Date(status.since).toISOString(),
  };
  const entries = {
    etag: versionEtag(plant.version),
    health_status: healthAt(plant.health, lastReadingAt, now.getTime()),
    ...wait,
    // For apps that are older than the reason codes. They show this text unchanged.
    auto_watering_note: autoWateringNote(wait, now.getTime()),
  };
  return `${plant.json.slice(0, -1)}, ${JSON.stringify(entries).slice(1)}`;
}

/** All plants of an account as one JSON array, oldest first, and their version, from the same statement. */
export async function readPlants(
  db: Queryable,
  { name, entries }: PlantList,
  { userId, now }: { userId: string; now: Date },
): Promise<{ json: string; version: ListVersion }> {
  const { rows } = await db.query<PlantJsonRow & { change: number; epoch: string }>({
    name,
    text: `SELECT state.change, state.epoch, p.* FROM ${currentState} state
      LEFT JOIN (${selectPlants(entries, ['p.date_added', 'p.id'])} WHERE p.user_id = $1) p ON true
      ORDER BY p.date_added, p.id`,
    values: [userId],
  });
  const plants = rows.filter(({ json }) => json !== null);
  const { change = 0, epoch = '' } = rows[0] ?? {};
  return {
    json: `[${plants.map((plant) => jsonAt(plant, now)).join(', ')}]`,
    version: { change, epoch, at: now.getTime() },
  };
}

/** One plant as JSON with its version, or null when the account has no such plant. */
export async function readPlant(
  db: Queryable,
  userId: string,
  id: string,
  now: Date,
): Promise<{ json: string; version: number } | null> {
  const { rows } = await db.query<PlantJsonRow>({
    name: 'plant',
    text: `${selectPlants(recordEntries)} WHERE p.user_id = $1 AND p.id = $2`,
    values: [userId, id],
  });
  const [plant] = rows;
  return plant ? { json: jsonAt(plant, now), version: plant.version } : null;
}

type ThresholdsOfPlant = Parameters<typeof healthFromReadings>[0] & PlantKey;

/** A plant's health, computed from the stored readings and the given thresholds. */
export async function judgeHealth(
  db: Queryable,
  plant: ThresholdsOfPlant,
  now: Date,
): Promise<ServerHealth> {
  const { rows } = await db.query<{ recent: ReadingLog[]; brightest: number | null }>({
    name: 'recent-readings',
    text: `SELECT ${recentJson()} AS recent, ${brightestOf('$3')} AS brightest
      FROM plants p WHERE p.user_id = $1::uuid AND p.id = $2::uuid`,
    values: [plant.userId, plant.id, now],
  });
  const { recent = [], brightest = null } = rows[0] ?? {};
  const readings = await healthReadings(db, plant, recent, { now, findsMissing: true });
  return healthFromReadings(plant, readings, now.getTime(), brightest);
}
