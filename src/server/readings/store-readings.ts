import { measures } from '#domain/reading/reading.ts';
import type { Queryable } from '../database/transaction.ts';
import { silentSince } from '../plants/changes.ts';
import type { LoggedPlant, Report } from './logged-plants.ts';

/*
 * Stores readings by one call of the SQL function store_readings (its newest version: migration 0011). Its arguments
 * are arrays of two lengths, one element for each plant, or one for each reading; a reading names its plant by its
 * place in the plants' arrays:
 *
 *   plants    plant_ids {monty, fern}   known_changes {17, 20}       only_readings {true, true}
 *   readings  places    {1, 1, 2}       times {9:00, 9:05, 9:00}     soils {41, 40, 55}   airs …   temperatures …
 *
 * It locks the plants, takes the account's next change number, writes it to the plants and the readings, and returns
 * the places of the plants whose readings were stored, here {1, 2}.
 */

/** The reports of one plant. */
export interface PlantReports {
  plant: Pick<LoggedPlant, 'id' | 'change'>;
  reports: readonly Report[];
  /** Whether only the plant's readings have changed. */
  onlyReadings: boolean;
}

/**
 * - guarded: for readings that were judged without a lock. What was decided about a plant may be wrong if another
 *   transaction holds it, or if it has changed since it was read; its readings are then not stored.
 * - uncounted, then unguarded: for a transaction that has locked the plants. It stores the readings first, without a
 *   change number, because it decides by what is stored; and again as its last statement, as one change of the account.
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
  const { rows } = await db.query<{ storedPlaces: number[] }>({
    name: 'store-readings',
    text: 'SELECT store_readings($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) AS "storedPlaces"',
    values: [
      userId,
      ...plantArrays(plants, mode),
      silentSince(now),
      mode !== 'uncounted',
      ...readingArrays(plants),
    ],
  });
  return new Set(rows[0]?.storedPlaces.map((place) => plants[place - 1]?.plant.id ?? ''));
}

/** plant_ids, known_changes, only_readings */
function plantArrays(plants: readonly PlantReports[], mode: Mode) {
  return [
    plants.map(({ plant }) => plant.id),
    plants.map(({ plant }) => (mode === 'guarded' ? (plant.change ?? noChange) : null)),
    plants.map(({ onlyReadings }) => onlyReadings),
  ];
}

/** No plant's change has this number, so a plant without a recorded change does not pass the guard. */
const noChange = '-1';

/** places, times, and the values of each measure */
function readingArrays(plants: readonly PlantReports[]) {
  const readings = plants.flatMap(({ reports }, index) =>
    // PostgreSQL's arrays begin at 1.
    lastOfEachTime(reports).map((report) => ({ place: index + 1, ...report })),
  );
  return [
    readings.map(({ place }) => place),
    readings.map(({ ts }) => ts.toISOString()),
    ...measures.map((measure) => readings.map(({ log }) => log[measure])),
  ];
}

/** Of readings with the same timestamp the last one counts. */
function lastOfEachTime(reports: readonly Report[]): Report[] {
  return [...new Map(reports.map((report) => [report.ts.getTime(), report])).values()];
}
