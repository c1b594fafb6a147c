import { and, desc, eq, lte } from 'drizzle-orm';
import type { Transaction } from '../database/transaction.ts';
import { sensorLogs } from '../readings/schema.ts';
import { hasCommandSince } from './commands.ts';
import { type PlantRow, recordWatering } from './records.ts';

/** A watering that a person did. */
export interface HandWatering {
  id: string;
  at: Date;
  amountMl: number | null;
  note: string | null;
}

/**
 * Records a watering by hand of a locked plant, with the soil humidity before it. The id must be new for the plant. It
 * unlocks automatic watering if `unlocksAt` is given and no command is over that was issued after it: a watering that
 * arrives late does not show that pump and tank have been checked since the commands that failed. A command that is
 * still open does not count, because the watering must withdraw it.
 */
export async function waterByHand(
  tx: Transaction,
  plant: PlantRow,
  { id, at, amountMl, note }: HandWatering,
  { unlocksAt: now }: { unlocksAt: Date | null },
): Promise<void> {
  const owner = { userId: plant.userId, plantId: plant.id };
  const unlocks = now !== null && !(await hasCommandSince(tx, owner, at, now));
  const soilBefore = await soilAt(tx, plant, at);
  const watering = { id, wateredAt: at, source: 'manual' as const, amountMl, note, soilBefore };
  await recordWatering(tx, plant, watering, { unlocksAt: unlocks ? now : null });
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
