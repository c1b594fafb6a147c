import { and, eq, isNotNull } from 'drizzle-orm';
import { entryLimits, type NewEntry } from '#domain/journal/entry.ts';
import type { Transaction } from '../database/transaction.ts';
import { invalid } from '../http/api-error.ts';
import type { PlantRow } from '../plants/schema.ts';
import { waterByHand } from '../watering/by-hand.ts';
import { waterings } from '../watering/schema.ts';
import { doneAt } from './done-at.ts';
import { editWatering } from './edit-watering.ts';
import { updateDates } from './plant-dates.ts';
import { isKnownEntry } from './queries.ts';
import { journalEntries } from './schema.ts';

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
  const at = doneAt(entry.at, { loc: ['body', 'at'], backDays: entryLimits.backDays }, now);
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

async function removedWatering(tx: Transaction, { userId, id: plantId }: PlantRow, id: string) {
  const [removed] = await tx
    .select()
    .from(waterings)
    .where(
      and(
        eq(waterings.userId, userId),
        eq(waterings.plantId, plantId),
        eq(waterings.id, id),
        isNotNull(waterings.removedAt),
      ),
    );
  return removed ?? null;
}
