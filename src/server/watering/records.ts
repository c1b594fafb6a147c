import { sql } from 'drizzle-orm';
import { allOf, type Transaction } from '../database/transaction.ts';
import { updateDates } from '../journal/plant-dates.ts';
import type { PlantRow } from '../plants/schema.ts';
import type { waterings } from './schema.ts';

type Watering = Pick<
  typeof waterings.$inferInsert,
  'id' | 'wateredAt' | 'source' | 'amountMl' | 'soilBefore' | 'note'
>;

/**
 * Inserts a watering and updates the dates of the plant, which the caller must have locked. A watering that is older
 * than the last one does not change them. `unlocksAt`: when a watering by hand unlocked automatic watering.
 */
export async function recordWatering(
  tx: Transaction,
  plant: PlantRow,
  watering: Watering,
  { unlocksAt }: { unlocksAt: Date | null },
): Promise<void> {
  const { id, wateredAt, source, amountMl, soilBefore, note = null } = watering;
  await allOf([
    // Must be sent first, on the same connection: updateDates then reads the new watering.
    tx.$client.query({
      name: 'add-watering',
      text: `INSERT INTO waterings (user_id, plant_id, id, watered_at, source, amount_ml, soil_before, note)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
      values: [plant.userId, plant.id, id, wateredAt, source, amountMl, soilBefore, note],
    }),
    updateDates(tx, plant, unlocksAt ? { more: unlocked(plant, unlocksAt) } : {}),
  ]);
}

/**
 * The columns that a hand watering or an edit sets to unlock automatic watering. Commands that were
 * issued up to `unlockedAt` are withdrawn. That is later than `now` if a command was issued while the clock was ahead.
 */
export function unlocked({ userId, id }: Pick<PlantRow, 'userId' | 'id'>, now: Date) {
  const lastIssued = sql`(SELECT max(c.issued_at) FROM watering_commands c
    WHERE c.user_id = ${userId}::uuid AND c.plant_id = ${id}::uuid AND c.status = 'issued' AND c.issued_at > ${now})`;
  return {
    autoWateringLocked: false,
    unlockedAt: sql`greatest(${now}::timestamptz, ${lastIssued})`,
    autoWateringReason: null,
    autoWateringReasonSince: null,
  };
}
