import type { Table } from 'dexie';
import { serverIdLookup } from '#client/store/ids.ts';
import type { DeviceDb, PlantRow } from '#client/store/schema.ts';
import { journalEntryField } from '#contract/journal.ts';
import type { PhotoSize } from '#contract/photos.ts';
import type { LatestFields, PlantRecord } from '#domain/plant/plant.ts';

/** Writes a confirmed record unless the row is equal, so that nothing is repainted without a reason. */
export async function putPlantIfChanged(
  db: DeviceDb,
  record: PlantRecord,
  etag: string | null,
  fetchedAt: number,
): Promise<void> {
  const stored = await db.plants.get(String(record.id));
  const row = nextRow(stored, record, etag, fetchedAt);
  if (row) await db.plants.put(row);
}

/** All tables that `deletePlantRows` uses: those with rows of plants, and `idmap`. */
export function plantTables(db: DeviceDb): Table[] {
  const { plants, latest, readings, series, journal, photos, photoFiles, conflicts, idmap } = db;
  return [plants, latest, readings, series, journal, photos, photoFiles, conflicts, idmap];
}

/**
 * Deletes plants with their readings, journals, photos and conflicts, within the caller's transaction on all
 * plantTables. Unsent photos are kept, in case the plant is restored.
 */
export async function deletePlantRows(db: DeviceDb, ids: string[]): Promise<void> {
  const tables = [db.plants, db.latest, db.readings, db.journal];
  await Promise.all([
    ...tables.map((table) => table.bulkDelete(ids)),
    db.series.where('plantId').anyOf(ids).delete(),
    deleteSentPhotos(db, ids),
    deleteConflicts(db, ids),
  ]);
}

/** An overwritten value of a deleted plant cannot be brought back. */
async function deleteConflicts(db: DeviceDb, plantIds: string[]): Promise<void> {
  const [conflicts, idmap] = await Promise.all([db.conflicts.toArray(), db.idmap.toArray()]);
  const serverIdOf = serverIdLookup(idmap);
  const ofPlants = conflicts.filter(({ entity }) => plantIds.includes(serverIdOf(entity)));
  await db.conflicts.bulkDelete(ofPlants.map(({ id }) => id));
}

async function deleteSentPhotos(db: DeviceDb, plantIds: string[]): Promise<void> {
  const photos = await db.photos.where('plantId').anyOf(plantIds).toArray();
  const sent = photos.filter(({ isWaiting }) => !isWaiting);
  await db.photos.bulkDelete(sent.map(({ id }) => id));
  await db.photoFiles.bulkDelete(
    sent.flatMap(({ id, sizes }) => sizes.map((size): [string, PhotoSize] => [id, size])),
  );
}

/**
 * The row to write; null if the stored one is equal. If only the ETag differs, `rev` stays the same, so that nothing is
 * repainted.
 */
export function nextRow(
  stored: PlantRow | undefined,
  record: PlantRecord,
  headerEtag: string | null,
  fetchedAt: number,
): PlantRow | null {
  const part = storedPart(record);
  // The header of a plant that was read contains a hash too, which would differ from the ETag in lists.
  const etag = record.etag ?? headerEtag ?? null;
  if (stored && JSON.stringify(stored.record) === JSON.stringify(part)) {
    return etag === null || etag === stored.etag ? null : { ...stored, etag };
  }
  return {
    id: String(record.id),
    record: part,
    etag,
    fetchedAt,
    rev: Math.max(fetchedAt, (stored?.rev ?? 0) + 1),
  };
}

/**
 * The part of a record that is stored. Latest values are stored in their own table, so that a new reading does not
 * rewrite a plant; the ETag has its own property, and the entry of a response is stored in the journal.
 */
function storedPart(
  record: PlantRecord & Partial<LatestFields> & { [journalEntryField]?: unknown },
): PlantRecord & { [Name in keyof LatestFields]?: never } {
  const {
    latest_soil_humidity: _soil,
    latest_air_humidity: _air,
    latest_temperature: _temperature,
    latest_luminance: _light,
    last_reading_time: _time,
    etag: _etag,
    [journalEntryField]: _entry,
    ...part
  } = record;
  return part;
}

/** Writing fifty rows at once would run every live query on the table instead of only those that read these rows. */
const rowsPerPut = 49;

export function chunksOf<T>(all: readonly T[]): T[][] {
  const count = Math.ceil(all.length / rowsPerPut);
  return Array.from({ length: count }, (_, i) => all.slice(i * rowsPerPut, (i + 1) * rowsPerPut));
}

/**
 * The rows of these ids, by id. For many ids the whole table is read, because bulkGet makes one request per row; the
 * map then contains the other rows too.
 */
export async function rowsById<T extends object, Insert>(
  table: Table<T, string, Insert>,
  ids: readonly string[],
): Promise<Map<string, T>> {
  const few = ids.length <= rowsPerPut;
  const [keys, rows] = few
    ? [ids, await table.bulkGet([...ids])]
    : await Promise.all([table.toCollection().primaryKeys(), table.toArray()]);
  return new Map(keys.flatMap((key, i) => (rows[i] ? [[key, rows[i]] as const] : [])));
}
