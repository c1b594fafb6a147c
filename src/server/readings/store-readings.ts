import { measures } from '#domain/reading/reading.ts';
import type { Queryable } from '../database/transaction.ts';
import { silentAfterMs } from '../plants/changes.ts';
import type { LoggedPlant, Report } from './logged-plants.ts';

/** The reports of one plant. */
export interface PlantReports {
  plant: Pick<LoggedPlant, 'id' | 'change'>;
  reports: readonly Report[];
  /** Nothing of the plant but its readings has changed. */
  onlyReadings: boolean;
}

/**
 * Stores the readings of an account's plants and counts them as one change, in one statement. A reading with the same
 * timestamp is replaced. Resolves to the ids of the plants whose readings were stored.
 *
 * Readings of a plant that another transaction has locked are not stored. With `isGuarded`, neither are those of a plant
 * that has changed since it was read: what was decided about them may be wrong. The statement locks the plants first and
 * then the counter, see recordChange.
 */
export async function storeReadings(
  db: Queryable,
  userId: string,
  plants: readonly PlantReports[],
  { now, isGuarded }: { now: Date; isGuarded: boolean },
): Promise<Set<string>> {
  const { rows: stored } = await db.query<{ plantId: string }>({
    name: 'store-readings',
    text: statement,
    values: [
      userId,
      plants.map(({ plant }) => plant.id),
      plants.map(({ plant }) => (isGuarded ? (plant.change ?? noChange) : null)),
      plants.map(({ onlyReadings }) => onlyReadings),
      now,
      ...columnsOf(plants),
    ],
  });
  return new Set(stored.map(({ plantId }) => plantId));
}

/** No plant has this number, so that one without a recorded change does not pass the guard. */
const noChange = '-1';

/** The values of `readingRows`. */
function columnsOf(plants: readonly Pick<PlantReports, 'plant' | 'reports'>[]): unknown[] {
  const rows = plants.flatMap(({ plant, reports }) =>
    lastOfEachTime(reports).map((report) => ({ plantId: plant.id, ...report })),
  );
  return [
    rows.map(({ plantId }) => plantId),
    rows.map(({ ts }) => ts.toISOString()),
    ...measures.map((measure) => rows.map(({ log }) => log[measure])),
  ];
}

/** SQL: readings as rows, from array parameters of which the first has this number. */
function readingRows(first: number): string {
  const columns = ['plant_id', 'ts', ...measures];
  const types = ['uuid[]', 'timestamptz[]', ...measures.map(() => 'float8[]')];
  return `unnest(${types.map((type, n) => `$${first + n}::${type}`).join(', ')}) AS reading (${columns.join(', ')})`;
}

/** One statement cannot replace a row that it has inserted. */
function lastOfEachTime(reports: readonly Report[]): Report[] {
  return [...new Map(reports.map((report) => [report.ts.getTime(), report])).values()];
}

const statement = `WITH locked AS (
    SELECT id FROM plants WHERE user_id = $1::uuid AND id = ANY ($2::uuid[]) ORDER BY id
    FOR NO KEY UPDATE SKIP LOCKED
  ), counter AS (
    UPDATE change_counters SET last = last + 1
    WHERE user_id = $1::uuid AND (SELECT count(*) FROM locked) > 0 RETURNING last
  ), newest AS (
    SELECT plant_id, max(ts) AS ts FROM unnest($6::uuid[], $7::timestamptz[]) AS reading (plant_id, ts) GROUP BY plant_id
  ), changed AS (
    UPDATE plant_changes AS known SET change = counter.last,
      record_change = CASE
        WHEN given.only_readings AND known.last_reading_at > $5::timestamptz - interval '${silentAfterMs} milliseconds'
        THEN known.record_change ELSE counter.last END,
      deleted_at = NULL, last_reading_at = greatest(known.last_reading_at, newest.ts)
    FROM counter, newest
      JOIN unnest($2::uuid[], $3::bigint[], $4::boolean[]) AS given (plant_id, change, only_readings) USING (plant_id)
    WHERE known.user_id = $1::uuid AND known.plant_id = newest.plant_id AND known.plant_id IN (SELECT id FROM locked)
      AND (given.change IS NULL OR known.change = given.change)
    RETURNING known.plant_id, known.change
  )
  INSERT INTO sensor_logs (user_id, plant_id, ts, ${measures.join(', ')}, change)
  SELECT $1::uuid, reading.plant_id, reading.ts, ${measures.map((measure) => `reading.${measure}`).join(', ')}, changed.change
  FROM changed JOIN ${readingRows(6)} USING (plant_id)
  ON CONFLICT (user_id, plant_id, ts) DO UPDATE SET
    ${[...measures, 'change'].map((column) => `${column} = excluded.${column}`).join(', ')}
  RETURNING plant_id AS "plantId"`;

/**
 * Stores the readings without counting them as a change, for a transaction that decides by what is stored and counts at
 * its end.
 */
export async function storeUncounted(
  db: Queryable,
  userId: string,
  plants: readonly Pick<PlantReports, 'plant' | 'reports'>[],
): Promise<void> {
  await db.query({
    name: 'store-uncounted-readings',
    text: `INSERT INTO sensor_logs (user_id, plant_id, ts, ${measures.join(', ')})
      SELECT $1::uuid, reading.* FROM ${readingRows(2)}
      ON CONFLICT (user_id, plant_id, ts) DO UPDATE SET
        ${measures.map((column) => `${column} = excluded.${column}`).join(', ')}`,
    values: [userId, ...columnsOf(plants)],
  });
}

/** Adds the rows that count the changes of these plants, if a server of version 0.1 has added the plants without them. */
export async function startCounting(
  db: Queryable,
  userId: string,
  plantIds: readonly string[],
): Promise<void> {
  await db.query({
    text: 'INSERT INTO change_counters (user_id, last) VALUES ($1, 0) ON CONFLICT DO NOTHING',
    values: [userId],
  });
  for (const id of plantIds) {
    await db.query({
      text: `INSERT INTO plant_changes (user_id, plant_id, change, record_change) VALUES ($1, $2, 0, 0)
        ON CONFLICT DO NOTHING`,
      values: [userId, id],
    });
  }
}
