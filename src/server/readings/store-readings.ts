import type pg from 'pg';
import type { Queryable } from '../database/transaction.ts';
import { gapSince } from '../plants/changes.ts';
import type { LoggedPlant, Report } from './logged-plants.ts';

/*
 * Stores readings by one call of the SQL function store_readings (its newest version: migration 0011). Its arguments
 * are arrays. Some have one element for each plant, the others one for each reading. A reading refers to its plant by
 * the plant's place in the first ones:
 *
 *   plants    plant_ids {monty, fern}   known_changes {17, 20}       only_readings {true, true}
 *   readings  places    {1, 1, 2}       times {9:00, 9:05, 9:00}     soils {41, 40, 55}   airs …   temperatures …
 *
 * It locks the plants. Unless the mode is `uncounted`, it takes the account's next change number and writes it to the
 * plants and the readings. It returns the places of the plants whose readings were stored, here {1, 2}.
 */

/** The reports of one plant. */
export interface PlantReports {
  plant: Pick<LoggedPlant, 'id' | 'change'>;
  reports: readonly Report[];
  /** Whether only the plant's readings have changed. */
  onlyReadings: boolean;
}

/**
 * - guarded: for readings that were judged without a lock. The readings of a plant are not stored if another
 *   transaction has locked the plant or if the plant has changed since it was read, because the judgement may be wrong.
 * - uncounted, then unguarded: for a transaction that has locked the plants. It stores the readings twice. The first
 *   time they get no change number; the transaction decides by the stored readings. The second time, in the last
 *   statement, they are recorded as one change of the account.
 */
type Mode = 'guarded' | 'uncounted' | 'unguarded';

/**
 * Stores readings of an account's plants in one statement. A reading replaces one with the same timestamp. Resolves to
 * the ids of the plants whose readings were stored.
 */
export async function storeReadings(
  db: Queryable,
  userId: string,
  plants: readonly PlantReports[],
  { now, mode }: { now: Date; mode: Mode },
): Promise<Set<string>> {
  const statement = readingsStatement(userId, plants, { now, mode });
  const { rows } = await db.query<{ storedPlaces: number[] }>(statement);
  return idsAt(rows[0]?.storedPlaces ?? [], plants);
}

/** The statement of storeReadings, for callers that send it together with the end of their transaction. */
export function readingsStatement(
  userId: string,
  plants: readonly PlantReports[],
  { now, mode }: { now: Date; mode: Mode },
): pg.QueryConfig {
  return {
    name: 'store-readings',
    text: 'SELECT store_readings($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) AS "storedPlaces"',
    values: [
      userId,
      ...Object.values(plantArrays(plants, mode)),
      gapSince(now),
      mode !== 'uncounted',
      ...Object.values(readingArrays(plants)),
    ],
  };
}

function idsAt(places: readonly number[], plants: readonly PlantReports[]): Set<string> {
  return new Set(places.map((place) => plants[place - 1]?.plant.id ?? ''));
}

/** The plants of one account, with their reports. */
export interface AccountPlants {
  userId: string;
  plants: readonly PlantReports[];
}

/**
 * Stores readings of several accounts in one statement, guarded. Resolves to the ids of the plants whose readings were
 * stored, by account. An account is missing if it has no change counter yet, or if another transaction has locked its
 * counter, because waiting for the lock would delay the other accounts.
 * Not for a cluster, whose statements must be about one account.
 */
export async function storeReadingsOfAccounts(
  db: Queryable,
  accounts: readonly AccountPlants[],
  now: Date,
): Promise<Map<string, Set<string>>> {
  const calls = accounts.map(({ userId, plants }) => ({
    account: userId,
    ...plantArrays(plants, 'guarded'),
    ...readingArrays(plants),
  }));
  const { rows } = await db.query<{ userId: string; storedPlaces: number[] }>({
    name: 'store-readings-of-accounts',
    text: `WITH free AS (
        SELECT user_id FROM change_counters WHERE user_id = ANY ($2::uuid[]) FOR NO KEY UPDATE SKIP LOCKED
      )
      SELECT account AS "userId", store_readings(account, plant_ids, known_changes, only_readings, $3, true, places,
        times, soils, airs, temperatures, lights) AS "storedPlaces"
      FROM json_to_recordset($1::json) AS calls (account uuid, plant_ids uuid[], known_changes bigint[],
          only_readings boolean[], places integer[], times timestamptz[], soils float8[], airs float8[],
          temperatures float8[], lights float8[])
        JOIN free ON free.user_id = calls.account`,
    values: [JSON.stringify(calls), accounts.map(({ userId }) => userId), gapSince(now)],
  });
  const plantsBy = new Map(accounts.map(({ userId, plants }) => [userId, plants]));
  return new Map(
    rows.map(({ userId, storedPlaces }) => [
      userId,
      idsAt(storedPlaces, plantsBy.get(userId) ?? []),
    ]),
  );
}

/** In the order of the function's parameters. */
function plantArrays(plants: readonly PlantReports[], mode: Mode) {
  return {
    plant_ids: plants.map(({ plant }) => plant.id),
    known_changes: plants.map(({ plant }) =>
      mode === 'guarded' ? (plant.change ?? noChange) : null,
    ),
    only_readings: plants.map(({ onlyReadings }) => onlyReadings),
  };
}

/** No plant's change has this number, so readings of a plant without a recorded change are not stored. */
const noChange = '-1';

/** In the order of the function's parameters. */
function readingArrays(plants: readonly PlantReports[]) {
  const readings = plants.flatMap(({ reports }, index) =>
    // PostgreSQL's arrays begin at 1.
    lastOfEachTime(reports).map((report) => ({ place: index + 1, ...report })),
  );
  return {
    places: readings.map(({ place }) => place),
    times: readings.map(({ ts }) => ts.toISOString()),
    soils: readings.map(({ log }) => log.soil_humidity),
    airs: readings.map(({ log }) => log.air_humidity),
    temperatures: readings.map(({ log }) => log.temperature),
    lights: readings.map(({ log }) => log.luminance),
  };
}

/** Of readings with the same timestamp the last one counts. */
function lastOfEachTime(reports: readonly Report[]): Report[] {
  return [...new Map(reports.map((report) => [report.ts.getTime(), report])).values()];
}
