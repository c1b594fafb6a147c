import { and, eq, isNotNull, isNull } from 'drizzle-orm';
import { type EntryEdit, entryLimits, type NewEntry } from '#domain/journal/entry.ts';
import type { Transaction } from '../database/transaction.ts';
import { ApiError, invalid, notFound } from '../http/api-error.ts';
import type { PlantRow } from '../plants/schema.ts';
import { waterByHand } from '../watering/record-watering.ts';
import { waterings } from '../watering/schema.ts';
import { editWatering, removeWatering, type WateringRow } from './edit-watering.ts';
import { pastTimeOf } from './past-time.ts';
import { photos } from './photos/schema.ts';
import { readDates, updateDates } from './plant-dates.ts';
import { isKnownEntry } from './queries.ts';
import { journalEntries } from './schema.ts';

type EntryRow = typeof journalEntries.$inferSelect;

/**
 * Adds an entry to the journal of a locked plant, or restores the removed watering with its id. Resolves to false if
 * the journal already shows an entry with this id; then nothing is changed. Throws a 422 if the entry's time is out of
 * range, or if its id is that of a removed watering but its type is not `watered`.
 */
export async function addEntry(
  tx: Transaction,
  plant: PlantRow,
  entry: NewEntry,
  now: Date,
): Promise<boolean> {
  const { id, type, note, days } = entry;
  const removed = await removedWatering(tx, plant, id);
  if (!removed && (await isKnownEntry(tx.$client, plant, id))) return false;
  if (removed && type !== 'watered') throw invalid(['body', 'id'], 'Belongs to a removed watering');
  const at = timeOf(entry, now);
  if (removed) await editWatering(tx, plant, removed, { at, note, amountMl: entry.amount_ml }, now);
  else if (type === 'watered') {
    await waterByHand(tx, plant, { id, at, note, amountMl: entry.amount_ml }, now);
  } else {
    const own = { id, type, at, note, days: type === 'snoozed' ? days : null };
    await tx.insert(journalEntries).values({ ...own, userId: plant.userId, plantId: plant.id });
    await updateDates(tx, plant);
  }
  return true;
}

/**
 * Changes an entry of a locked plant. Fields that the edit lacks keep their values, because another device may have
 * changed them. Throws a 404 if there is no such entry, a 403 for an entry of automatic watering, or a 422 for invalid
 * values.
 */
export async function editEntry(
  tx: Transaction,
  plant: PlantRow,
  id: string,
  edit: EntryEdit,
  now: Date,
): Promise<void> {
  const found = await changeableEntry(tx, plant, id);
  if ('watering' in found) {
    const { watering } = found;
    const { note = watering.note, amount_ml: amountMl = watering.amountMl } = edit;
    const at = changedTime(edit, watering.wateredAt, now);
    return await editWatering(tx, plant, watering, { at, note, amountMl }, now);
  }
  const { entry } = found;
  const { note = entry.note, amount_ml: amountMl = null } = edit;
  if (amountMl !== null) throw invalid(['body', 'amount_ml'], 'Only a watering has an amount');
  if (entry.type === 'note' && note === null) {
    throw invalid(['body', 'note'], 'A note needs a text');
  }
  const before = await readDates(tx.$client, plant);
  await tx
    .update(journalEntries)
    .set({ at: changedTime(edit, entry.at, now), note })
    .where(isEntry(plant, id));
  await updateDates(tx, plant, { before });
}

/** Removes an entry of a locked plant. The plant keeps the entry's photos. Throws a 404 or a 403, like editEntry. */
export async function removeEntry(
  tx: Transaction,
  plant: PlantRow,
  id: string,
  now: Date,
): Promise<void> {
  const found = await changeableEntry(tx, plant, id);
  await tx
    .update(photos)
    .set({ entryId: null })
    .where(
      and(eq(photos.userId, plant.userId), eq(photos.plantId, plant.id), eq(photos.entryId, id)),
    );
  if ('watering' in found) return await removeWatering(tx, plant, found.watering, now);
  const before = await readDates(tx.$client, plant);
  await tx.delete(journalEntries).where(isEntry(plant, id));
  await updateDates(tx, plant, { before });
}

async function removedWatering(tx: Transaction, plant: PlantRow, id: string) {
  const isRemoved = and(isWatering(plant, id), isNotNull(waterings.removedAt));
  const [removed] = await tx.select().from(waterings).where(isRemoved);
  return removed ?? null;
}

async function changeableEntry(
  tx: Transaction,
  plant: PlantRow,
  id: string,
): Promise<{ watering: WateringRow } | { entry: EntryRow }> {
  const isShown = and(isWatering(plant, id), isNull(waterings.removedAt));
  const [watering] = await tx.select().from(waterings).where(isShown);
  const [entry] = watering ? [] : await tx.select().from(journalEntries).where(isEntry(plant, id));
  if (watering?.source === 'auto' || entry?.type === 'not_watered') throw addedAutomatically();
  if (watering) return { watering };
  if (entry) return { entry };
  throw notFound('Entry');
}

function isWatering({ userId, id: plantId }: PlantRow, id: string) {
  return and(eq(waterings.userId, userId), eq(waterings.plantId, plantId), eq(waterings.id, id));
}

function isEntry({ userId, id: plantId }: PlantRow, id: string) {
  return and(
    eq(journalEntries.userId, userId),
    eq(journalEntries.plantId, plantId),
    eq(journalEntries.id, id),
  );
}

/**
 * The new time of an entry. An unchanged time is not checked, because it may be older than the limit for new entries.
 */
function changedTime({ at }: EntryEdit, from: Date, now: Date): Date {
  return at === undefined || Date.parse(at) === from.getTime() ? from : timeOf({ at }, now);
}

function timeOf({ at }: Pick<NewEntry, 'at'>, now: Date): Date {
  return pastTimeOf(at, { loc: ['body', 'at'], backDays: entryLimits.backDays }, now);
}

function addedAutomatically(): ApiError {
  const message = 'Automatic watering added this entry, so it cannot be changed or removed';
  return new ApiError(403, 'forbidden', message);
}
