import { measures } from '#domain/reading/reading.ts';
import type { Queryable } from '../database/transaction.ts';
import { silentSince } from '../plants/changes.ts';
import type { LoggedPlant, Report } from './logged-plants.ts';

/** The reports of one plant. */
export interface PlantReports {
  plant: Pick<LoggedPlant, 'id' | 'change'>;
  reports: readonly Report[];
  /** Whether only the plant's readings have changed. */
  onlyReadings: boolean;
}

/**
 * How readings are stored:
 * - unguarded: as one change of the account. For a transaction that holds the plants, as its last statement.
 * - guarded: the same, except for readings of a plant that another transaction holds, or that has changed since it was
 *   read: what was decided about them may be wrong.
 * - uncounted: without a change. For a transaction that decides by what is stored and stores it as a change at its end.
 */
type Mode = 'unguarded' | 'guarded' | 'uncounted';

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
  const rows = plants.flatMap(({ reports }, n) =>
    // The places are indexes of PostgreSQL arrays, which begin at 1.
    lastOfEachTime(reports).map((report) => ({ place: n + 1, ...report })),
  );
  const { rows: stored } = await db.query<{ places: number[] }>({
    name: 'store-readings',
    text: 'SELECT store_readings($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) AS places',
    values: [
      userId,
      plants.map(({ plant }) => plant.id),
      plants.map(({ plant }) => (mode === 'guarded' ? (plant.change ?? noChange) : null)),
      plants.map(({ onlyReadings }) => onlyReadings),
      silentSince(now),
      mode !== 'uncounted',
      rows.map(({ place }) => place),
      rows.map(({ ts }) => ts.toISOString()),
      ...measures.map((measure) => rows.map(({ log }) => log[measure])),
    ],
  });
  return new Set(stored[0]?.places.map((place) => plants[place - 1]?.plant.id ?? ''));
}

/** No plant's change has this number, so a plant without a recorded change does not pass the guard. */
const noChange = '-1';

/** Of readings with the same timestamp the last one counts. */
function lastOfEachTime(reports: readonly Report[]): Report[] {
  return [...new Map(reports.map((report) => [report.ts.getTime(), report])).values()];
}
