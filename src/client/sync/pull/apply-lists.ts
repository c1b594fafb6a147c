import { mappedServerIds } from '#client/store/ids.ts';
import type { DeviceDb, LatestRow, PlantRow } from '#client/store/schema.ts';
import type { PlantWithReadings } from '#contract/plants.ts';
import type { LatestFields, PlantRecord } from '#domain/plant/plant.ts';
import type { SyncContext } from '../context.ts';
import { sameFields } from '../push/merge.ts';
import { type ListEtags, readGeneration, saveListState } from './list-state.ts';
import { chunksOf, deletePlantRows, nextRow } from './plant-rows.ts';

export interface PulledLists {
  /** Of the rows when the lists were requested. */
  generation: number;
  plants: PlantRecord[] | 'unchanged';
  plantsEtag: string | null;
  withReadings: PlantWithReadings[] | 'unchanged';
  withReadingsEtag: string | null;
}

const emptyListSeen = 'empty-list-seen';

/**
 * Makes the device's rows what the lists say, in one transaction; rows that do not differ are not written. False when
 * rows were written since the lists were requested: then the lists are older than the rows. Rejects when the signal was
 * aborted meanwhile: the session may have ended.
 */
export async function applyLists(
  { db, now, signal }: SyncContext,
  { generation, plants, plantsEtag, withReadings, withReadingsEtag }: PulledLists,
): Promise<boolean> {
  const tables = [db.plants, db.latest, db.readings, db.outbox, db.idmap, db.meta, db.syncState];
  return db.transaction('rw', tables, async () => {
    signal.throwIfAborted();
    if ((await readGeneration(db)) !== generation) return false;
    if (plants === 'unchanged' && withReadings === 'unchanged') return true;
    const etags: Partial<ListEtags> = {};
    if (plants !== 'unchanged' && (await isCredible(db, plants))) {
      const isWhole = await applyPlants(db, plants, now());
      etags.plantsEtag = isWhole ? plantsEtag : null;
    }
    if (withReadings !== 'unchanged') {
      await applyLatest(db, withReadings);
      etags.withReadingsEtag = withReadingsEtag;
    }
    await saveListState(db, etags);
    return true;
  });
}

/** An empty list over a garden counts only the second time: a broken server must not delete a garden. */
async function isCredible(db: DeviceDb, plants: PlantRecord[]): Promise<boolean> {
  const isSuspicious = plants.length === 0 && (await db.plants.count()) > 0;
  const wasSeenBefore = (await db.meta.get(emptyListSeen)) !== undefined;
  if (isSuspicious && !wasSeenBefore) await db.meta.put({ id: emptyListSeen, value: 1 });
  else await db.meta.delete(emptyListSeen);
  return !isSuspicious || wasSeenBefore;
}

/** False when a plant of the list was left out. */
async function applyPlants(db: DeviceDb, all: PlantRecord[], fetchedAt: number): Promise<boolean> {
  const known = new Map((await db.plants.toArray()).map((row) => [row.id, row]));
  const records = await withoutPendingCreates(db, all, (id) => known.has(id));
  const changed = records
    .map((record) => nextRow(known.get(String(record.id)), record, null, fetchedAt))
    .filter((row): row is PlantRow => row !== null);
  const listed = new Set(records.map((record) => String(record.id)));
  const gone = [...known.keys()].filter((id) => !listed.has(id));
  for (const rows of chunksOf(changed)) await db.plants.bulkPut(rows);
  for (const ids of chunksOf(gone)) await deletePlantRows(db, ids);
  return records.length === all.length;
}

/**
 * Leaves out a new record that equals a create whose answer is still unknown: most likely it is that plant, which would
 * be shown twice, under its local and its server id. It is written once the create has been answered.
 */
async function withoutPendingCreates(
  db: DeviceDb,
  records: PlantRecord[],
  isKnown: (id: string) => boolean,
): Promise<PlantRecord[]> {
  const creates = await db.outbox
    .filter(({ type, state }) => type === 'create' && ['inflight', 'uncertain'].includes(state))
    .toArray();
  if (creates.length === 0) return records;
  const mapped = await mappedServerIds(db);
  const leftOut = new Set<PlantRecord>();
  const isNew = (record: PlantRecord) => {
    const id = String(record.id);
    return !isKnown(id) && !mapped.has(id) && !leftOut.has(record);
  };
  for (const { edits } of creates) {
    const same = records.find((record) => isNew(record) && sameFields(record, edits));
    if (same) leftOut.add(same);
  }
  return records.filter((record) => !leftOut.has(record));
}

/** A plant that never reported has a row too: no rows at all means that they were deleted to free storage. */
async function applyLatest(db: DeviceDb, plants: PlantWithReadings[]): Promise<void> {
  const known = new Map((await db.latest.toArray()).map((row) => [row.plantId, row]));
  const changed = plants
    .map((plant) => nextLatest(known.get(String(plant.id)), plant))
    .filter((row): row is LatestRow => row !== null);
  for (const rows of chunksOf(changed)) await db.latest.bulkPut(rows);
}

function nextLatest(known: LatestRow | undefined, plant: PlantWithReadings): LatestRow | null {
  const values = latestOf(plant);
  if (known && JSON.stringify(known.values) === JSON.stringify(values)) return null;
  return {
    plantId: String(plant.id),
    values,
    newestKept: known?.newestKept ?? null,
    rev: (known?.rev ?? 0) + 1,
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
