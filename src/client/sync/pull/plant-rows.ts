import type { DeviceDb, PlantRow } from '#client/store/schema.ts';
import type { LatestFields, PlantRecord } from '#domain/plant/plant.ts';

/** Writes a confirmed record unless the row already says the same, so that nothing repaints without a reason. */
export async function putPlantIfNew(
  db: DeviceDb,
  record: PlantRecord,
  etag: string | null,
  fetchedAt: number,
): Promise<void> {
  const known = await db.plants.get(String(record.id));
  const row = nextRow(known, record, etag, fetchedAt);
  if (row) await db.plants.put(row);
}

/** Deletes plants with their readings, within the caller's transaction. */
export async function deletePlantRows(db: DeviceDb, ids: string[]): Promise<void> {
  await Promise.all([db.plants, db.latest, db.readings].map((table) => table.bulkDelete(ids)));
}

/** The row to write, or null when the known one holds the same record. */
export function nextRow(
  known: PlantRow | undefined,
  record: PlantRecord,
  etag: string | null,
  fetchedAt: number,
): PlantRow | null {
  const bare = withoutLatest(record);
  if (known && JSON.stringify(known.record) === JSON.stringify(bare)) return null;
  return {
    id: String(record.id),
    record: bare,
    etag,
    fetchedAt,
    rev: Math.max(fetchedAt, (known?.rev ?? 0) + 1),
  };
}

/** Latest values live with the readings: a new reading must not rewrite a plant. */
function withoutLatest(record: PlantRecord & Partial<LatestFields>): PlantRecord {
  const {
    latest_soil_humidity: _soil,
    latest_air_humidity: _air,
    latest_temperature: _temperature,
    latest_luminance: _light,
    last_reading_time: _time,
    ...bare
  } = record;
  return bare;
}

/** A put of fifty rows wakes every live query on the table instead of those that read these rows. */
const rowsPerPut = 49;

export function chunksOf<T>(all: readonly T[]): T[][] {
  const count = Math.ceil(all.length / rowsPerPut);
  return Array.from({ length: count }, (_, i) => all.slice(i * rowsPerPut, (i + 1) * rowsPerPut));
}
