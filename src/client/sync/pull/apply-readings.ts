import type { ListResponse } from '#client/api/http.ts';
import type { DeviceDb, LatestRow } from '#client/store/schema.ts';
import { deltaReadings, type PlantDelta } from '#contract/plant-delta.ts';
import type { PlantWithReadings } from '#contract/plants.ts';
import type { LatestFields } from '#domain/plant/plant.ts';
import type { ReadingLog } from '#domain/reading/reading.ts';
import { mergeReadings } from '#domain/reading/reading-arrays.ts';
import { chunksOf, rowsById } from '../rows/plant-rows.ts';

export interface PlantLogs {
  plantId: string;
  /** Newest first. */
  logs: ReadingLog[];
}

/** Whether the server has readings of the plant that the device lacks. */
export function lacksReadings({ values, newestKept }: LatestRow): boolean {
  if (values.last_reading_time === null) return false;
  return newestKept === null || isLater(values.last_reading_time, newestKept);
}

/**
 * Writes the latest values of a list, and the readings of a delta, in the caller's transaction. `storedAt`: device's
 * clock, ms.
 */
export async function applyReadings(
  db: DeviceDb,
  list: ListResponse<PlantWithReadings[], PlantDelta>,
  storedAt: number,
): Promise<void> {
  if (list.type === 'unchanged') return;
  if (list.type === 'whole') return putLatest(db, list.value, storedAt);
  const { changed, readings = {} } = list.delta;
  const pulled = Object.entries(readings).map(([plantId, logs]) => ({ plantId, logs }));
  for (const some of chunksOf(pulled)) await putDeltaReadings(db, some, storedAt);
  await putLatest(db, changed, storedAt);
}

/** Adds readings to the stored ones, in the caller's transaction. */
export async function putReadings(db: DeviceDb, pulled: readonly PlantLogs[]): Promise<void> {
  const items = await withLatestRows(db, pulled);
  await addToStored(
    db,
    items.map((item) => ({ ...item, hasGap: false })),
  );
}

interface RowLogs {
  row: LatestRow;
  logs: ReadingLog[];
  /** Whether the server may have readings between the stored ones and these. */
  hasGap: boolean;
}

/** Leaves out plants without a row of latest values. */
async function withLatestRows(
  db: DeviceDb,
  pulled: readonly PlantLogs[],
): Promise<Omit<RowLogs, 'hasGap'>[]> {
  const rows = await db.latest.bulkGet(pulled.map(({ plantId }) => plantId));
  return pulled.flatMap(({ logs }, i) => (rows[i] ? [{ row: rows[i], logs }] : []));
}

async function addToStored(db: DeviceDb, items: readonly RowLogs[]): Promise<void> {
  const stored = await db.readings.bulkGet(items.map(({ row }) => row.plantId));
  const merged = items.map(({ row, logs, hasGap }, i) => {
    const arrays = mergeReadings(stored[i]?.series, logs);
    const newestKept = hasGap ? row.newestKept : (arrays.timestamp[0] ?? null);
    return {
      readings: { plantId: row.plantId, series: arrays },
      latest: { ...row, newestKept, rev: row.rev + 1 },
    };
  });
  await db.readings.bulkPut(merged.map(({ readings }) => readings));
  await db.latest.bulkPut(merged.map(({ latest }) => latest));
}

/**
 * Stores the readings of a delta. If others may be missing between the stored ones and these, `newestKept` is not
 * changed, so that all readings after it are requested. The readings of the delta are stored even so: some may have
 * reached the server late and be older than `newestKept`, and are not sent again.
 */
async function putDeltaReadings(
  db: DeviceDb,
  pulled: readonly PlantLogs[],
  storedAt: number,
): Promise<void> {
  const items = (await withLatestRows(db, pulled)).map(({ row, logs }) => ({
    row: { ...row, values: newerValues(row.values, logs), storedAt },
    logs,
    hasGap: logs.length >= deltaReadings || lacksReadings(row),
  }));
  await addToStored(db, items);
}

function newerValues(values: LatestFields, [newest]: readonly ReadingLog[]): LatestFields {
  const last = values.last_reading_time;
  if (!newest || (last !== null && isLater(last, newest.timestamp))) return values;
  return {
    latest_soil_humidity: newest.soil_humidity,
    latest_air_humidity: newest.air_humidity,
    latest_temperature: newest.temperature,
    latest_luminance: newest.luminance,
    last_reading_time: newest.timestamp,
  };
}

function isLater(a: string, b: string): boolean {
  return Date.parse(a) > Date.parse(b);
}

/**
 * A plant that never reported gets a row too. The readings of a delta are stored only for plants with a row, and an
 * empty table looks as if its rows had been deleted to free storage (list-state.ts).
 */
async function putLatest(
  db: DeviceDb,
  plants: readonly PlantWithReadings[],
  storedAt: number,
): Promise<void> {
  const stored = await rowsById(
    db.latest,
    plants.map(({ id }) => String(id)),
  );
  const changed = plants
    .map((plant) => nextLatest(stored.get(String(plant.id)), plant, storedAt))
    .filter((row): row is LatestRow => row !== null);
  for (const rows of chunksOf(changed)) await db.latest.bulkPut(rows);
}

/** The row to write; null if the stored one is equal. */
function nextLatest(
  stored: LatestRow | undefined,
  plant: PlantWithReadings,
  storedAt: number,
): LatestRow | null {
  const values = latestOf(plant);
  if (stored && JSON.stringify(stored.values) === JSON.stringify(values)) return null;
  return {
    plantId: String(plant.id),
    values,
    newestKept: stored?.newestKept ?? null,
    storedAt,
    rev: (stored?.rev ?? 0) + 1,
  };
}

function latestOf(plant: PlantWithReadings): LatestFields {
  return {
    latest_soil_humidity: plant.latest_soil_humidity ?? null,
    latest_air_humidity: plant.latest_air_humidity ?? null,
    latest_temperature: plant.latest_temperature ?? null,
    latest_luminance: plant.latest_luminance ?? null,
    last_reading_time: plant.last_reading_time ?? null,
  };
}
