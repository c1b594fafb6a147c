import type { LogPayload } from '#contract/logs.ts';
import { lightWindowMs, type ServerHealth, type Thresholds } from '#domain/plant/health.ts';
import { measures, type ReadingLog } from '#domain/reading/reading.ts';
import { type RulePlant, ruleFields, type WaitReason } from '#domain/watering/rule.ts';
import { msOf } from '../database/moments.ts';
import type { Queryable } from '../database/transaction.ts';
import { unavailable } from '../http/api-error.ts';
import type { Clock } from '../http/app-deps.ts';
import { isUuid } from '../http/request-input.ts';
import { brightestOf, recentJson, recentReadings } from './queries.ts';

/** A reading as it was reported, and the time at which it was taken. */
export interface Report {
  log: LogPayload;
  ts: Date;
}

/** The fields of a reading's plant that ingest needs. */
export interface LoggedPlant extends Thresholds, RulePlant {
  userId: string;
  id: string;
  reason: WaitReason | null;
  isLocked: boolean;
  /** ms */
  unlockedAt: number | null;
  /** ms */
  deviceSince: number | null;
  health: ServerHealth;
  /** Newest first. */
  recent: ReadingLog[];
  /**
   * lux. The brightest reading of the last 24 h. If the plant has no minimum of light, or the reports reach its
   * minimum, only the reports are considered.
   */
  brightest: number | null;
  /** The number of the plant's newest change, as text; null if none was recorded yet. */
  change: string | null;
}

/** How a report identifies its plant; null for an id that no plant can have. */
export function lookupOf({ log: { plant_id, device_id } }: Report): string | null {
  if (plant_id === undefined) return `device ${device_id}`;
  return isUuid(plant_id) ? `plant ${plant_id.toLowerCase()}` : null;
}

/**
 * Plants by the key that lookupOf returns. A key that matches no plant is missing. Plants that share a device have the
 * same key.
 */
export type FoundPlants = ReadonlyMap<string, LoggedPlant[]>;

/** The reports of one account. */
export interface AccountReports {
  userId: string;
  reports: readonly Report[];
}

/**
 * The plants that the reports name. Takes one statement, or two if some reports name a plant and others a device.
 */
export async function readLoggedPlants(
  db: Queryable,
  userId: string,
  reports: readonly Report[],
  now: Date,
): Promise<FoundPlants> {
  const found = new Map<string, LoggedPlant[]>();
  for (const by of ['plant', 'device'] as const) {
    const brightest = brightestByName(reports, by, now);
    if (brightest.size === 0) continue;
    const { rows } = await db.query<FoundPlant>({
      name: `logged-plants-by-${by}`,
      text: factsBy[by].ofAccount,
      values: [userId, [...brightest.keys()], [...brightest.values()], now],
    });
    for (const row of rows) addFound(found, by, row);
  }
  return found;
}

/** The same for several accounts at once, by account. On a cluster it would ask all machines. */
export async function readLoggedPlantsOfAccounts(
  db: Queryable,
  accounts: readonly AccountReports[],
  now: Date,
): Promise<Map<string, FoundPlants>> {
  const found = new Map(accounts.map(({ userId }) => [userId, new Map<string, LoggedPlant[]>()]));
  for (const by of ['plant', 'device'] as const) {
    const named = accounts.flatMap(({ userId, reports }) =>
      [...brightestByName(reports, by, now)].map((entry) => [userId, ...entry] as const),
    );
    if (named.length === 0) continue;
    const { rows } = await db.query<FoundPlant>({
      name: `logged-plants-of-accounts-by-${by}`,
      text: factsBy[by].ofAccounts,
      values: [...[0, 1, 2].map((column) => named.map((entry) => entry[column])), now],
    });
    for (const row of rows) addFound(found.get(row.userId), by, row);
  }
  return found;
}

type FoundPlant = LoggedPlant & { name: string };

function addFound(
  found: Map<string, LoggedPlant[]> | undefined,
  by: 'plant' | 'device',
  { name, ...plant }: FoundPlant,
): void {
  const key = `${by} ${name}`;
  found?.set(key, [...(found.get(key) ?? []), plant]);
}

/** The plants or devices that reports name, each with the brightest of these reports that is not older than 24 h. */
function brightestByName(reports: readonly Report[], by: 'plant' | 'device', now: Date) {
  const brightest = new Map<string, number | null>();
  for (const report of reports) {
    const key = lookupOf(report);
    if (!key?.startsWith(`${by} `)) continue;
    const name = key.slice(by.length + 1);
    brightest.set(name, brighter(brightest.get(name) ?? null, lightOf(report, now)));
  }
  return brightest;
}

/** A plant that is locked until the transaction ends. */
export type LockedPlant = Pick<LoggedPlant, 'id' | 'device_id'>;

/**
 * Locks the plants that the reports name until the transaction ends, and then reads them; `now` is when they were read.
 * If a report contains results of commands, it also locks the other plants of the device, whose commands these may be.
 * While this waits for a lock, a device may be moved to a plant that is not locked yet. It then locks and reads again,
 * and throws a 503 if that happens each time.
 */
export async function lockLoggedPlants(
  db: Queryable,
  userId: string,
  reports: readonly Report[],
  clock: Clock,
): Promise<{ found: FoundPlants; locked: LockedPlant[]; now: Date }> {
  const locked = new Map<string, LockedPlant>();
  for (let attempt = 0; attempt < lockAttempts; attempt += 1) {
    for (const plant of await lockNamedPlants(db, userId, reports)) locked.set(plant.id, plant);
    // After waiting for the lock: a command dated before an edit that came first would be withdrawn by it.
    const now = clock();
    const found = await readLoggedPlants(db, userId, reports, now);
    const plants = [...found.values()].flat();
    if (plants.every(({ id }) => locked.has(id))) {
      return { found, locked: [...locked.values()], now };
    }
  }
  throw unavailable('The plants of a device are being changed');
}

const lockAttempts = 3;

/** Resolves to the locked plants. Always locks them in the same order, to avoid deadlocks. */
async function lockNamedPlants(
  db: Queryable,
  userId: string,
  reports: readonly Report[],
): Promise<LockedPlant[]> {
  const withResults = reports.filter(({ log }) => log.command_results?.length);
  const { rows } = await db.query<LockedPlant>({
    name: 'lock-logged-plants',
    text: `SELECT id, device_id FROM plants WHERE user_id = $1::uuid AND (id = ANY ($2::uuid[]) OR device_id = ANY (
        $3::text[] || ARRAY(SELECT device_id FROM plants WHERE user_id = $1::uuid AND id = ANY ($4::uuid[]))))
      ORDER BY id FOR NO KEY UPDATE`,
    values: [
      userId,
      namesIn(reports, 'plant'),
      namesIn(reports, 'device'),
      namesIn(withResults, 'plant'),
    ],
  });
  return rows;
}

/** The ids of the plants, or those of the devices, that reports name. */
function namesIn(reports: readonly Report[], by: 'plant' | 'device'): string[] {
  const keys = reports.flatMap((report) => lookupOf(report) ?? []);
  const ofKind = keys.filter((key) => key.startsWith(`${by} `));
  return [...new Set(ofKind.map((key) => key.slice(by.length + 1)))];
}

const thresholds = measures.flatMap((measure) => [
  `${measure}_threshold_min`,
  `${measure}_threshold_max`,
]);

/** SQL: the fields of plant p for health and for the watering rule. */
const judgedFields = [...new Set([...thresholds, ...ruleFields])]
  .map((name) => `p.${name}`)
  .join(', ');

const factsBy = { plant: factsFor('id', 'uuid'), device: factsFor('device_id', 'text') };

/** The statement for one account, and the one for several, which takes an array of accounts as $1. */
function factsFor(column: 'id' | 'device_id', type: 'uuid' | 'text') {
  const values = `$2::${type}[], $3::float8[]`;
  return {
    ofAccount: factsFrom(`unnest(${values}) AS named (name, luminance)`, '$1::uuid', column),
    ofAccounts: factsFrom(
      `unnest($1::uuid[], ${values}) AS named (account, name, luminance)`,
      'named.account',
      column,
    ),
  };
}

/**
 * The SQL that reads the facts of the named plants. The brightest reading of the day is queried only if the reports do
 * not show that the plant gets enough light.
 */
function factsFrom(named: string, account: string, column: 'id' | 'device_id'): string {
  return `SELECT named.name::text, p.user_id AS "userId", p.id, p.health_status AS health,
      ${judgedFields}, p.auto_watering_reason AS reason,
      p.auto_watering_locked AS "isLocked", ${msOf('p.auto_watering_since')} AS "unlockedAt",
      ${msOf('p.device_since')} AS "deviceSince",
      (SELECT change FROM plant_changes WHERE user_id = ${account} AND plant_id = p.id) AS change,
      ${recentJson(account)} AS recent,
      CASE WHEN p.luminance_threshold_min IS NULL OR named.luminance >= p.luminance_threshold_min THEN named.luminance
        ELSE greatest(named.luminance, ${brightestOf('$4', account)}) END AS brightest
    FROM ${named}
      JOIN plants p ON p.user_id = ${account} AND p.${column} = named.name`;
}

/**
 * The plant with these reports among its recent readings. Of readings with the same timestamp the last one counts.
 * `brightest` is computed again, because some of the reports may name the plant and others its device.
 */
export function withReports(
  plant: LoggedPlant,
  reports: readonly Report[],
  now: Date,
): LoggedPlant {
  const byTime = new Map(plant.recent.map((reading) => [reading.timestamp, reading]));
  for (const { log, ts } of reports) byTime.set(ts.toISOString(), readingOf(log, ts));
  const newestFirst = [...byTime.values()].sort(
    (a, b) => Date.parse(b.timestamp) - Date.parse(a.timestamp),
  );
  return {
    ...plant,
    recent: newestFirst.slice(0, recentReadings),
    brightest: reports.map((report) => lightOf(report, now)).reduce(brighter, plant.brightest),
  };
}

function readingOf(log: LogPayload, ts: Date): ReadingLog {
  const { soil_humidity, air_humidity, temperature, luminance } = log;
  return { timestamp: ts.toISOString(), soil_humidity, air_humidity, temperature, luminance };
}

/** The light of a report (lux); null if it has none or is older than 24 h. */
function lightOf({ log, ts }: Report, now: Date): number | null {
  return now.getTime() - ts.getTime() <= lightWindowMs ? log.luminance : null;
}

function brighter(a: number | null, b: number | null): number | null {
  if (a === null || b === null) return a ?? b;
  return Math.max(a, b);
}
