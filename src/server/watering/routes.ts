import { and, desc, eq } from 'drizzle-orm';
import { plantPaths, type WaterQuery, waterQuerySchema } from '#contract/plants.ts';
import type { Transaction } from '../database/transaction.ts';
import { invalid } from '../http/api-error.ts';
import type { App, AppDeps } from '../http/app-deps.ts';
import { respondOnce } from '../http/idempotency.ts';
import { recordChange } from '../plants/changes.ts';
import { lockRequestedPlant, plantAnswer } from '../plants/owned-plant.ts';
import { sensorLogs } from '../readings/schema.ts';
import { type PlantRow, recordWatering } from './records.ts';

/** A client's clock may be ahead by at most this; the watering is then dated now. */
const aheadMs = 5 * 60_000;
const backMs = 60 * 24 * 3_600_000;

export function wateringRoutes(app: App, deps: AppDeps): void {
  app.post(plantPaths.water, { schema: { querystring: waterQuerySchema } }, (request, reply) =>
    respondOnce(deps, request, reply, async (tx) => {
      const plant = await lockRequestedPlant(deps, tx, request);
      const now = deps.clock();
      await waterByHand(tx, plant, request.query, now);
      const answer = await plantAnswer(deps, tx.$client, plant);
      return { ...answer, beforeCommit: () => recordChange(tx, plant, { now }) };
    }),
  );
}

async function waterByHand(tx: Transaction, plant: PlantRow, query: WaterQuery, now: Date) {
  const [latest] = await tx
    .select({ soil: sensorLogs.soil_humidity })
    .from(sensorLogs)
    .where(and(eq(sensorLogs.userId, plant.userId), eq(sensorLogs.plantId, plant.id)))
    .orderBy(desc(sensorLogs.ts))
    .limit(1);
  const watering = {
    wateredAt: momentOf(query, now),
    source: 'manual' as const,
    amountMl: query.amount ?? null,
    soilBefore: latest?.soil ?? null,
  };
  await recordWatering(tx, plant, watering, now);
}

function momentOf(query: WaterQuery, now: Date): Date {
  if (query.watered_at === undefined) return now;
  const moment = Date.parse(query.watered_at);
  const ahead = moment - now.getTime();
  if (ahead > aheadMs) throw invalid(['query', 'watered_at'], 'is in the future');
  if (ahead < -backMs) throw invalid(['query', 'watered_at'], 'is more than 60 days back');
  return new Date(Math.min(moment, now.getTime()));
}
