import { and, desc, eq } from 'drizzle-orm';
import { healthFromReadings, type ServerHealth } from '#domain/health.ts';
import type { Transaction } from './database.ts';
import { sensorLogs } from './schema.ts';

/** Enough to walk out of the hysteresis band in all but contrived series. */
const readingsForHealth = 24;

export type HealthPlant = Parameters<typeof healthFromReadings>[0] & { userId: string; id: string };

/** A plant's health by its newest readings, as the row would keep it. */
export async function healthNow(
  executor: Pick<Transaction, 'select'>,
  plant: HealthPlant,
  now: Date,
): Promise<ServerHealth> {
  const newest = await executor
    .select()
    .from(sensorLogs)
    .where(and(eq(sensorLogs.userId, plant.userId), eq(sensorLogs.plantId, plant.id)))
    .orderBy(desc(sensorLogs.ts))
    .limit(readingsForHealth);
  const logs = newest.map(({ ts, ...values }) => ({
    ...values,
    timestamp: ts.toISOString(),
  }));
  return healthFromReadings(plant, logs, now.getTime());
}
