import { and, desc, eq, gte, isNotNull, lte } from 'drizzle-orm';
import { dayMs } from '#domain/time.ts';
import { wateringLimits } from '#domain/watering/rule.ts';
import { allOf, type Transaction } from '../database/transaction.ts';
import type { PlantRow } from '../plants/schema.ts';
import { sensorLogs } from '../readings/schema.ts';
import { hasEndedCommand } from './commands.ts';
import { recordWatering } from './records.ts';

/** A watering that a person did. */
export interface HandWatering {
  id: string;
  at: Date;
  amountMl: number | null;
  note: string | null;
}

/**
 * Records a watering by hand, with the soil humidity before it. The caller must have locked the plant's row, and the id
 * must be new for this plant. It unlocks automatic watering if `showsCheck`.
 */
export async function waterByHand(
  tx: Transaction,
  plant: PlantRow,
  { id, at, amountMl, note }: HandWatering,
  now: Date,
): Promise<void> {
  const [soilBefore, isUnlocked] = await allOf([
    soilAt(tx, plant, at),
    showsCheck(tx, plant, at, now),
  ]);
  const watering = { id, wateredAt: at, source: 'manual' as const, amountMl, note, soilBefore };
  await recordWatering(tx, plant, watering, { unlocksAt: isUnlocked ? now : null });
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
