import { and, eq } from 'drizzle-orm';
import { uuidv7 } from 'uuidv7';
import { nextWateringDate } from '#domain/watering/schedule.ts';
import type { Transaction } from '../database/transaction.ts';
import { plants } from '../plants/schema.ts';
import { waterings } from './schema.ts';

export type PlantRow = typeof plants.$inferSelect;

type Watering = Pick<
  typeof waterings.$inferInsert,
  'wateredAt' | 'source' | 'amountMl' | 'soilBefore'
>;

/**
 * Inserts a watering and updates the dates of the plant, which the caller must have locked. A watering that is older than
 * the last one does not change them. A watering by hand also unlocks automatic watering, at `now`.
 */
export async function recordWatering(
  tx: Transaction,
  plant: PlantRow,
  watering: Watering,
  now: Date,
): Promise<void> {
  const { userId, id: plantId } = plant;
  await tx.insert(waterings).values({ ...watering, userId, plantId, id: uuidv7() });
  const lastWatered = later(plant.last_watered, watering.wateredAt);
  const due = {
    last_watered: lastWatered.toISOString(),
    date_added: plant.date_added.toISOString(),
    watering_frequency: plant.watering_frequency,
  };
  await tx
    .update(plants)
    .set({
      last_watered: lastWatered,
      next_watering_date: new Date(nextWateringDate(due)),
      version: plant.version + 1,
      ...(watering.source === 'manual' && unlocked(now)),
    })
    .where(and(eq(plants.userId, userId), eq(plants.id, plantId)));
}

/** The columns that a hand watering or an edit sets to unlock automatic watering. */
export function unlocked(now: Date) {
  return {
    autoWateringLocked: false,
    unlockedAt: now,
    autoWateringReason: null,
    autoWateringReasonSince: null,
  };
}

function later(a: Date | null, b: Date): Date {
  return a && a > b ? a : b;
}
