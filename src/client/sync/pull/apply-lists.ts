import type { ListResponse } from '#client/api/http.ts';
import { mappedServerIds } from '#client/store/ids.ts';
import type { DeviceDb, PlantRow } from '#client/store/schema.ts';
import type { PlantDelta } from '#contract/plant-delta.ts';
import type { PlantWithReadings } from '#contract/plants.ts';
import type { FieldGroup } from '#domain/plant/fields.ts';
import { haveEqualFields, type PlantRecord } from '#domain/plant/plant.ts';
import type { SyncContext } from '../context.ts';
import { type ListEtags, readGeneration, saveListState } from '../rows/list-state.ts';
import { chunksOf, deletePlantRows, nextRow, plantTables, rowsById } from '../rows/plant-rows.ts';
import { applyReadings } from './apply-readings.ts';

/** A list or its delta, with its ETag. */
interface PulledList<T> {
  list: ListResponse<T[], PlantDelta>;
  etag: string | null;
}

export interface PulledLists {
  /** The generation of the plants' rows when the lists were requested (list-state.ts). */
  generation: number;
  /** Null when it was not requested: the other list has every plant too. */
  plants: PulledList<PlantRecord> | null;
  withReadings: PulledList<PlantWithReadings>;
}

/** The fields that identify the plant of a pending create: they say what kind of plant it is, and are rarely edited. */
const kindFields: FieldGroup = ['plant_name', 'species'];

const emptyListSeen = 'empty-list-seen';

/**
 * Updates the device's rows from the lists in one transaction. Equal plant records and latest values are not written.
 * False if rows were written since the lists were requested, so that the lists may be older than the rows, or if the rows
 * of a delta were deleted to free storage. Rejects if the signal was aborted meanwhile, because the session may have
 * ended.
 */
export async function applyLists(
  { db, now, signal }: SyncContext,
  { generation, plants, withReadings }: PulledLists,
): Promise<boolean> {
  const tables = [...plantTables(db), db.outbox, db.meta, db.syncState];
  return db.transaction('rw', tables, async () => {
    signal.throwIfAborted();
    if ((await readGeneration(db)) !== generation) return false;
    const types = [plants?.list.type ?? 'unchanged', withReadings.list.type];
    if (types.every((type) => type === 'unchanged')) return true;
    // The latest values were deleted after the delta was requested. It contains only changed plants, so the others would
    // stay without values.
    if (withReadings.list.type === 'delta' && (await db.latest.count()) === 0) return false;
    // If the list with readings is whole, it is applied alone, because it has every plant. Otherwise it is applied
    // last, because the next delta starts from its ETag.
    const records = withReadings.list.type === 'whole' ? [withReadings] : [plants, withReadings];
    let isComplete = true;
    for (const pulled of records) {
      if (pulled && !(await applyRecords(db, pulled.list, now()))) isComplete = false;
    }
    await applyReadings(db, withReadings.list, now());
    const etags: Partial<ListEtags> = {
      ...(plants && { plantsEtag: plants.etag }),
      withReadingsEtag: withReadings.etag,
    };
    await saveListState(db, isComplete ? etags : {});
    return true;
  });
}

/**
 * False if a plant was left out or the list is not credible, so that the next request must get the same changes again.
 */
async function applyRecords(
  db: DeviceDb,
  list: ListResponse<PlantRecord[], PlantDelta>,
  fetchedAt: number,
): Promise<boolean> {
  if (list.type === 'unchanged') return true;
  if (list.type === 'delta') {
    for (const ids of chunksOf(list.delta.removed)) await deletePlantRows(db, ids);
    return putRecords(db, list.delta.changed, fetchedAt);
  }
  if (!(await isCredible(db, list.value))) return false;
  const listed = new Set(list.value.map(({ id }) => String(id)));
  const stored = await db.plants.toCollection().primaryKeys();
  for (const ids of chunksOf(stored.filter((id) => !listed.has(id))))
    await deletePlantRows(db, ids);
  return putRecords(db, list.value, fetchedAt);
}

/** Writes the records that differ from their rows. False if `withoutPendingCreates` left one out. */
async function putRecords(db: DeviceDb, all: PlantRecord[], fetchedAt: number): Promise<boolean> {
  const stored = await rowsById(
    db.plants,
    all.map(({ id }) => String(id)),
  );
  const records = await withoutPendingCreates(db, all, (id) => stored.has(id));
  const changed = records
    .map((record) => nextRow(stored.get(String(record.id)), record, null, fetchedAt))
    .filter((row): row is PlantRow => row !== null);
  for (const rows of chunksOf(changed)) await db.plants.bulkPut(rows);
  return records.length === all.length;
}

/** Whether to apply a list. An empty one deletes all plants only when it arrives again: the server may be broken. */
async function isCredible(db: DeviceDb, plants: PlantRecord[]): Promise<boolean> {
  const isSuspicious = plants.length === 0 && (await db.plants.count()) > 0;
  const wasSeenBefore = (await db.meta.get(emptyListSeen)) !== undefined;
  if (isSuspicious && !wasSeenBefore) await db.meta.put({ id: emptyListSeen, value: 1 });
  else await db.meta.delete(emptyListSeen);
  return !isSuspicious || wasSeenBefore;
}

/**
 * Leaves out new records of the same kind as a create whose response is still unknown. Such a record may be the plant
 * that the create made, which would be shown twice: under its local id and its server id. The records that are left
 * out are written once the response is known.
 */
async function withoutPendingCreates(
  db: DeviceDb,
  records: PlantRecord[],
  isStored: (id: string) => boolean,
): Promise<PlantRecord[]> {
  const creates = await db.outbox
    .filter(({ type, state }) => type === 'create' && ['inflight', 'uncertain'].includes(state))
    .toArray();
  if (creates.length === 0) return records;
  const mapped = await mappedServerIds(db);
  return records.filter((record) => {
    const id = String(record.id);
    const isOfKind = creates.some(({ edits }) => haveEqualFields(kindFields, record, edits));
    return isStored(id) || mapped.has(id) || !isOfKind;
  });
}
