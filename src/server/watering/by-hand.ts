import { and, desc, eq, lte } from 'drizzle-orm';
import { allOf, type Transaction } from '../database/transaction.ts';
import { sensorLogs } from '../readings/schema.ts';
import { hasEndedCommand } from './commands.ts';
import { type PlantRow, recordWatering } from './records.ts';

/** A watering that a person did. */
export interface HandWatering {
  id: string;
  at: Date;
  amountMl: number | null;
  note: string | null;
}

/**
 * Records a watering by hand, with the soil humidity before it. The caller must have locked the plant's row, and the id
 * must be new for this plant. `unlocksAt`: when the watering unlocks automatic watering; null if it must not. It also
 * does not unlock it if a command that was issued after the watering was reported or has expired: nobody may have
 * checked pump and tank since that command.
 */
export async function waterByHand(
  tx: Transaction,
  plant: PlantRow,
  { id, at, amountMl, note }: HandWatering,
  { unlocksAt }: { unlocksAt: Date | null },
): Promise<void> {
  const [soilBefore, isLate] = await allOf([
    soilAt(tx, plant, at),
    unlocksAt !== null && hasEndedCommandSince(tx, plant, at, unlocksAt),
  ]);
  const watering = { id, wateredAt: at, source: 'manual' as const, amountMl, note, soilBefore };
  await recordWatering(tx, plant, watering, { unlocksAt: isLate ? null : unlocksAt });
}

/**
 * False without a query if automatic watering is off: no commands are issued then, and turning it on unlocks it anyway.
 */
async function hasEndedCommandSince(tx: Transaction, plant: PlantRow, at: Date, now: Date) {
  if (!plant.auto_watering_enabled) return false;
  const owner = { userId: plant.userId, plantId: plant.id };
  return await hasEndedCommand(tx, owner, { since: at, now });
}

/** The soil humidity (%) of the newest reading at or before a time. */
export async function soilAt(tx: Transaction, plant: PlantRow, at: Date): Promise<number | null> {
  const [latest] = await tx
    .select({ soil: sensorLogs.soil_humidity })
    .from(sensorLogs)
    .where(
      and(
        eq(sensorLogs.userId, plant.userId),
        eq(sensorLogs.plantId, plant.id),
        lte(sensorLogs.ts, at),
      ),
    )
    .orderBy(desc(sensorLogs.ts))
    .limit(1);
  return latest?.soil ?? null;
}
