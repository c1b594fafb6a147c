import * as v from 'valibot';
import {
  entryIdOf,
  isPhotoOp,
  isRejected,
  type Op,
  type OpPhoto,
} from '#client/store/outbox/op.ts';
import { opsOfPlant } from '#client/store/outbox/outbox.ts';
import { deleteStoredPhoto } from '#client/store/photos/photo-files.ts';
import { type DeviceDb, type JournalRow, notFetched } from '#client/store/schema.ts';
import { journalEntryField, journalEntrySchema, journalLimits } from '#contract/journal.ts';
import { type JournalEntry, mayHaveEntries, newestFirst } from '#domain/journal/entry.ts';
import type { JournalPhoto } from '#domain/journal/photo.ts';
import { type PlantFields, plantFieldNames } from '#domain/plant/fields.ts';
import { haveEqualFields, type PlantRecord } from '#domain/plant/plant.ts';
import type { SyncContext } from '../context.ts';
import { deletePlantRows, putPlantIfChanged } from '../rows/plant-rows.ts';
import type { ConfirmedRecord } from './plant-record.ts';
import type { SendResult } from './send.ts';

/** The result of an op that the server has applied. */
type ConfirmedResult = SendResult & { record: ConfirmedRecord | 'none' };

/**
 * Deletes an op that the server has applied, in the caller's transaction, and stores its effect: the plant's record,
 * the id of a new plant, the entry or the photo, and the values that it overwrote.
 */
export async function confirmOp(
  { db, now }: SyncContext,
  { claimed: { op, plantId }, result, record: confirmed }: ConfirmedResult,
): Promise<void> {
  await db.outbox.delete(op.seq);
  await storeConflicts(db, op, now());
  if (op.type === 'delete') await deletePlant(db, op, plantId);
  if (isPhotoOp(op)) {
    // An error response to a new photo says that it was deleted elsewhere after an earlier attempt.
    const isStored = op.type === 'add_photo' && !(result.type === 'done' && !result.response.ok);
    const plant = confirmed === 'none' ? null : confirmed.record;
    await confirmPhoto(db, op, { plantId, plant, isStored });
  }
  if (confirmed === 'none') return;
  if (op.type === 'create') {
    await db.idmap.put({ localId: op.entity, serverId: String(confirmed.record.id) });
  }
  await storeConfirmedEntry(db, op, confirmed.record);
  await putPlantIfChanged(db, confirmed.record, confirmed.etag, now());
}

/** Deletes the rows of a deleted plant, and the ops of its photos, which the server would reject now. */
async function deletePlant(db: DeviceDb, { entity }: Op, plantId: string): Promise<void> {
  await deletePlantRows(db, [plantId]);
  const photoOps = (await opsOfPlant(db, entity)).filter(isPhotoOp);
  await db.outbox.bulkDelete(photoOps.map(({ seq }) => seq));
}

/**
 * Stores a conflict for each value of another device that this op has overwritten (`theirs`). `mine` is this device's
 * newest value, from a later op if one edits the field again; Undo replaces it by `theirs`. Equal values are not stored.
 */
async function storeConflicts(db: DeviceDb, op: Op, at: number): Promise<void> {
  if (!op.overwritten || op.overwritten.length === 0) return;
  const later = await laterEdits(db, op);
  for (const { mine: sent, theirs } of op.overwritten) {
    const names = plantFieldNames.filter((name) => name in sent);
    const mine = Object.fromEntries(names.map((name) => [name, { ...sent, ...later }[name]]));
    if (haveEqualFields(names, mine, theirs)) continue;
    const id = `${op.opId} ${Object.keys(sent)[0]}`;
    await db.conflicts.put({ id, entity: op.entity, mine, theirs, at });
  }
}

/** The edits of the plant that will be sent after this op. */
async function laterEdits(db: DeviceDb, { entity, seq }: Op): Promise<Partial<PlantFields>> {
  const ops = await opsOfPlant(db, entity);
  const later = ops.filter((one) => one.seq > seq && one.type === 'update' && !isRejected(one));
  return Object.assign({}, ...later.map(({ edits }) => edits));
}

/** A row may grow to this many entries before it is fetched again. */
const longestRow = journalLimits.page + 50;

/**
 * Stores the entry of a confirmed op in the plant's journal, in the caller's transaction, so that it is shown as the
 * person changed it. If the stored journal is exactly one version behind the response, it need not be fetched, unless
 * its oldest entry was moved or removed; otherwise it keeps its version, and is fetched later. Call it before the
 * plant's row is written.
 */
export async function storeConfirmedEntry(
  db: DeviceDb,
  op: Op,
  record: PlantRecord,
): Promise<void> {
  if (op.type === 'create' && record.journal_version === 0) {
    await db.journal.put(emptyJournal(String(record.id)));
  }
  const id = entryIdOf(op);
  const row = await journalBefore(db, record);
  if (id === null || !row) return;
  const parsed = v.safeParse(v.nullable(journalEntrySchema), entryIn(record));
  if (!parsed.success) return;
  const entries = entriesWith(row, id, parsed.output);
  if (entries.length > longestRow) return;
  const photos = parsed.output ? row.photos : photosWithout(id, row);
  // The cursor continues after the oldest stored entry. If that one was moved or removed, later entries might be added
  // between the new oldest one and the cursor, where no page would show them. So the journal is fetched again.
  const oldest = row.next === null ? undefined : row.entries.at(-1);
  const mustBeFetched = oldest?.id === id && oldest.at !== parsed.output?.at;
  const version = mustBeFetched ? row.version : versionAfter(row, record);
  await db.journal.put({ ...row, version, entries, photos });
}

/** The photos of a journal after this entry was removed. The photos of the entry are kept, with `entry_id` null. */
function photosWithout(entryId: string, { photos }: JournalRow): JournalPhoto[] {
  return photos.map((photo) => (photo.entry_id === entryId ? { ...photo, entry_id: null } : photo));
}

/**
 * The stored journal of a plant, or a new one if none is stored. The record is from the response to an op. Null if the
 * journal's version is at least that of the record. Call it before the plant's row is written.
 */
async function journalBefore(
  db: DeviceDb,
  { id, journal_version }: PlantRecord,
): Promise<JournalRow | null> {
  const plantId = String(id);
  // Without a new one, what was sent would disappear until the journal is fetched.
  const row = (await db.journal.get(plantId)) ?? (await newJournal(db, plantId));
  return row.version < (journal_version ?? 0) ? row : null;
}

/**
 * The version to store after the change of an op was added to the journal; the record is from the response to that op.
 * If the journal lacked only this change, it is the record's version; otherwise the journal keeps its version, so that
 * it is fetched.
 */
function versionAfter({ version }: JournalRow, { journal_version }: PlantRecord): number {
  return version + 1 === journal_version ? journal_version : version;
}

function entryIn(record: PlantRecord & { [journalEntryField]?: unknown }): unknown {
  return record[journalEntryField];
}

/** An empty journal. It need not be fetched if the plant's row shows that the server has no entries of it. */
async function newJournal(db: DeviceDb, plantId: string): Promise<JournalRow> {
  const row = await db.plants.get(plantId);
  const isWhole = row?.record.journal_version === 0 && !mayHaveEntries(row.record);
  const empty = emptyJournal(plantId);
  return isWhole ? empty : { ...empty, version: notFetched, isPage: false };
}

function emptyJournal(plantId: string): JournalRow {
  return { plantId, version: 0, isPage: true, entries: [], next: null, photos: [] };
}

/**
 * The entries of the row with the confirmed one added or replaced; `entry` null: it was removed. If the row lacks older
 * entries, an entry that is older than all stored ones is left out, because it belongs to a page that is not stored.
 */
function entriesWith(row: JournalRow, id: string, entry: JournalEntry | null): JournalEntry[] {
  const others = row.entries.filter((one) => one.id !== id);
  // The entry itself may be the last one.
  const last = row.entries.at(-1);
  const isOlder = entry && last && row.next !== null && newestFirst(entry, last) > 0;
  return entry && !isOlder ? [...others, entry].sort(newestFirst) : others;
}

/**
 * Commits a confirmed op of a photo within the caller's transaction. If the server now has the photo (`isStored`),
 * marks it as sent and adds it to the stored journal of its plant; otherwise deletes its files and removes it from
 * there. If the stored journal also lacks earlier changes, or does not show whether the server has the photo's entry, it
 * is fetched later.
 */
async function confirmPhoto(
  db: DeviceDb,
  { photo, request }: Op,
  { plantId, plant, isStored }: { plantId: string; plant: PlantRecord | null; isStored: boolean },
): Promise<void> {
  if (!photo) return;
  if (isStored) await db.photos.update(photo.id, { isWaiting: false, plantId });
  else await deleteStoredPhoto(db, photo.id);
  if (!plant && !isStored) await unlistPhoto(db, photo.id, plantId);
  const journal = plant && (await journalBefore(db, plant));
  if (!journal) return;
  const others = journal.photos.filter(({ id }) => id !== photo.id);
  // The journal already shows this result, e.g. because it was fetched after an earlier send had been applied. Its
  // version is not changed, so that it is fetched again: the record may be newer because of another change that the
  // journal lacks.
  const isListed = others.length < journal.photos.length;
  if (isListed === isStored) return;
  const added: JournalPhoto = {
    id: photo.id,
    entry_id: photo.entryId,
    // The time as it was sent, corrected to the server's clock.
    taken_at: sentTakenAt(request) ?? new Date(photo.takenAt).toISOString(),
    width: photo.width,
    height: photo.height,
  };
  const photos = isStored ? [added, ...others] : others;
  const isUncertain = isStored && mayLackEntry(photo, journal);
  const version = isUncertain ? journal.version : versionAfter(journal, plant);
  await db.journal.put({ ...journal, version, photos });
}

/** For a plant that the server no longer has, so that its journal is not fetched again. */
async function unlistPhoto(db: DeviceDb, photoId: string, plantId: string): Promise<void> {
  const journal = await db.journal.get(plantId);
  const photos = journal?.photos.filter(({ id }) => id !== photoId) ?? [];
  if (journal && photos.length < journal.photos.length)
    await db.journal.put({ ...journal, photos });
}

/** Whether the server may lack the entry of a new photo. It then stores the photo without an entry. */
function mayLackEntry({ entryId }: OpPhoto, { entries }: JournalRow): boolean {
  return entryId !== null && !entries.some(({ id }) => id === entryId);
}

function sentTakenAt(request: Op['request']): string | null {
  return new URLSearchParams(request?.path.split('?')[1]).get('taken_at');
}
