import type { DeviceDb, PlantRow } from '#client/store/schema.ts';
import type { PlantWithReadings } from '#contract/plants.ts';
import type { PlantRecord } from '#domain/plant/plant.ts';
import type { SyncContext } from '../context.ts';
import { sameFields } from '../push/merge.ts';
import { applyLatest } from './apply-latest.ts';
import { type ListEtags, readGeneration, saveListState } from './list-state.ts';
import { chunksOf, deletePlantRows, nextRow } from './plant-rows.ts';

export interface PulledLists {
  /** Of the rows when the lists were asked for. */
  generation: number;
  plants: PlantRecord[] | 'unchanged';
  plantsEtag: string | null;
  withReadings: PlantWithReadings[] | 'unchanged';
  withReadingsEtag: string | null;
}

const emptySeen = 'empty-list-seen';

/**
 * Makes the device's rows what the server said, in one transaction; what did not change is not written. False when
 * rows were written since the lists were asked for: then these are older than what is here.
 */
export async function applyPull(
  { db, now }: SyncContext,
  { generation, plants, plantsEtag, withReadings, withReadingsEtag }: PulledLists,
): Promise<boolean> {
  const tables = [db.plants, db.latest, db.readings, db.outbox, db.idmap, db.meta, db.syncState];
  return db.transaction('rw', tables, async () => {
    if ((await readGeneration(db)) !== generation) return false;
    if (plants === 'unchanged' && withReadings === 'unchanged') return true;
    const etags: Partial<ListEtags> = {};
    if (plants !== 'unchanged' && (await believes(db, plants))) {
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

/** An empty list over data is believed only the second time: it is how a broken server deletes a garden. */
async function believes(db: DeviceDb, plants: PlantRecord[]): Promise<boolean> {
  const suspicious = plants.length === 0 && (await db.plants.count()) > 0;
  const seenBefore = (await db.meta.get(emptySeen)) !== undefined;
  if (suspicious && !seenBefore) await db.meta.put({ id: emptySeen, value: 1 });
  else await db.meta.delete(emptySeen);
  return !suspicious || seenBefore;
}

/** False when a plant of the list was held back. */
async function applyPlants(db: DeviceDb, all: PlantRecord[], fetchedAt: number): Promise<boolean> {
  const known = new Map((await db.plants.toArray()).map((row) => [row.id, row]));
  const records = await withoutPendingCreates(db, all, (id) => known.has(id));
  const changed = records
    .map((record) => nextRow(known.get(String(record.id)), record, null, fetchedAt))
    .filter((row): row is PlantRow => row !== null);
  const listed = new Set(records.map((record) => String(record.id)));
  const gone = [...known.keys()].filter((id) => !listed.has(id));
  for (const rows of chunksOf(changed)) await db.plants.bulkPut(rows);
  for (const ids of chunksOf(gone)) {
    await deletePlantRows(db, ids);
  }
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
  const mapped = new Set((await db.idmap.toArray()).map(({ serverId }) => serverId));
  const heldBack = new Set<PlantRecord>();
  const isNew = (record: PlantRecord) => {
    const id = String(record.id);
    return !isKnown(id) && !mapped.has(id) && !heldBack.has(record);
  };
  for (const { edits } of creates) {
    const same = records.find((record) => isNew(record) && sameFields(record, edits));
    if (same) heldBack.add(same);
  }
  return records.filter((record) => !heldBack.has(record));
}
