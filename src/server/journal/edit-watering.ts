import { and, eq } from 'drizzle-orm';
import { uuidv7 } from 'uuidv7';
import { countedMl } from '#domain/watering/rule.ts';
import type { Transaction } from '../database/transaction.ts';
import type { PlantRow } from '../plants/schema.ts';
import { soilAt } from '../watering/record-watering.ts';
import { waterings } from '../watering/schema.ts';
import { readDates, updateDates } from './plant-dates.ts';

export type WateringRow = typeof waterings.$inferSelect;

interface WateringEdit {
  at: Date;
  amountMl: number | null;
  note: string | null;
}

/**
 * Changes a watering by hand of a locked plant, and restores it if it was removed. The limits of automatic watering
 * must still count the old time and amount. So if the time changes or the amount decreases, a copy of the row with the
 * old values is added and marked as removed.
 */
export async function editWatering(
  tx: Transaction,
  plant: PlantRow,
  watering: WateringRow,
  { at, amountMl, note }: WateringEdit,
  now: Date,
): Promise<void> {
  const before = await readDates(tx.$client, plant);
  const isMoved = at.getTime() !== watering.wateredAt.getTime();
  if (isMoved || countedMl(amountMl) < countedMl(watering.amountMl)) {
    const copy = { ...watering, id: uuidv7(), copyOf: watering.id, note: null, removedAt: now };
    await tx.insert(waterings).values(copy);
  }
  const soilBefore = isMoved ? await soilAt(tx, plant, at) : watering.soilBefore;
  await tx
    .update(waterings)
    .set({ wateredAt: at, amountMl, note, soilBefore, removedAt: null })
    .where(isRow(watering));
  await updateDates(tx, plant, { before });
}

/**
 * Marks a watering by hand of a locked plant as removed and deletes its note. The limits of automatic watering still
 * count its row.
 */
export async function removeWatering(
  tx: Transaction,
  plant: PlantRow,
  watering: WateringRow,
  now: Date,
): Promise<void> {
  const before = await readDates(tx.$client, plant);
  await tx.update(waterings).set({ removedAt: now, note: null }).where(isRow(watering));
  await updateDates(tx, plant, { before });
}

function isRow({ userId, plantId, id }: WateringRow) {
  return and(eq(waterings.userId, userId), eq(waterings.plantId, plantId), eq(waterings.id, id));
}
