import { and, desc, eq, gte, isNotNull, lte, sql } from 'drizzle-orm';
import { dayMs } from '#domain/time.ts';
import { wateringLimits } from '#domain/watering/rule.ts';
import { allOf, type Transaction } from '../database/transaction.ts';
import { updateDates } from '../journal/plant-dates.ts';
import type { PlantRow } from '../plants/schema.ts';
import { sensorLogs } from '../readings/schema.ts';
import { hasEndedCommand } from './commands.ts';
import type { waterings } from './schema.ts';

/** A watering that a person did. */
interface ManualWatering {
  id: string;
  at: Date;
  amountMl: number | null;
  note: string | null;
}

/**
 * Records a watering by hand, with the soil humidity before it. The caller must have locked the plant's row, and the id
 * must be new for this plant. The watering unlocks automatic watering if it was less than 24 h ago and no command that
 * was issued after it was reported or has expired.
 */
export async function waterByHand(
  tx: Transaction,
  plant: PlantRow,
  { id, at, amountMl, note }: ManualWatering,
  now: Date,
): Promise<void> {
  const [soilBefore, isUnlocked] = await allOf([
    soilAt(tx, plant, at),
    showsCheck(tx, plant, at, now),
  ]);
  const watering = { id, wateredAt: at, source: 'manual' as const, amountMl, note, soilBefore };
  await recordWatering(tx, plant, watering, { unlocksAt: isUnlocked ? now : null });
}

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
    updateDates(tx, plant, unlocksAt ? { more: unlockColumns(plant, unlocksAt) } : {}),
  ]);
}

/**
 * Whether what a person did at the time `at` shows that somebody checked pump and tank recently: it is less than 24 h
 * ago, and no command that was issued after it was reported or has expired. While automatic watering is off, no commands
 * are issued, so that is not queried.
 */
export async function showsCheck(
  tx: Transaction,
  plant: PlantRow,
  at: Date,
  now: Date,
): Promise<boolean> {
  if (now.getTime() - at.getTime() >= wateringLimits.windowMs) return false;
  if (!plant.auto_watering_enabled) return true;
  const owner = { userId: plant.userId, plantId: plant.id };
  return !(await hasEndedCommand(tx, owner, { since: at, now }));
}

/**
 * The columns that a watering by hand or an edit sets to unlock automatic watering. Commands that were issued up to
 * `unlockedAt` are withdrawn. That is later than `now` if a command was issued while the clock was ahead.
 */
export function unlockColumns({ userId, id }: Pick<PlantRow, 'userId' | 'id'>, now: Date) {
  const lastIssued = sql`(SELECT max(c.issued_at) FROM watering_commands c
    WHERE c.user_id = ${userId}::uuid AND c.plant_id = ${id}::uuid AND c.status = 'issued' AND c.issued_at > ${now})`;
  return {
    autoWateringLocked: false,
    unlockedAt: sql`greatest(${now}::timestamptz, ${lastIssued})`,
    autoWateringReason: null,
    autoWateringReasonSince: null,
  };
}

/** The newest soil humidity (%) that was measured in the 24 h before a time, or at that time. */
export async function soilAt(tx: Transaction, plant: PlantRow, at: Date): Promise<number | null> {
  const [latest] = await tx
    .select({ soil: sensorLogs.soil_humidity })
    .from(sensorLogs)
    .where(
      and(
        eq(sensorLogs.userId, plant.userId),
        eq(sensorLogs.plantId, plant.id),
        lte(sensorLogs.ts, at),
        gte(sensorLogs.ts, new Date(at.getTime() - dayMs)),
        isNotNull(sensorLogs.soil_humidity),
      ),
    )
    .orderBy(desc(sensorLogs.ts))
    .limit(1);
  return latest?.soil ?? null;
}
