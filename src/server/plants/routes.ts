import { and, eq } from 'drizzle-orm';
import { uuidv7 } from 'uuidv7';
import { plantPayloadSchema } from '#contract/plant-payload.ts';
import { type MessageAnswer, plantPaths } from '#contract/plants.ts';
import type { PlantFields } from '#domain/plant/fields.ts';
import { nextWateringDate } from '#domain/watering/schedule.ts';
import type { Transaction } from '../database/transaction.ts';
import type { AppDeps } from '../deps.ts';
import { contentEtag, sendUnlessMatched } from '../http/etag.ts';
import type { App } from '../http/fastify-app.ts';
import { respondOnce } from '../http/idempotency.ts';
import { type PlantRow, unlocked } from '../watering/records.ts';
import { lockRequestedPlant, plantAnswer, plantIdOf } from './owned-plant.ts';
import { judgeHealth, readPlants, readPlantsWithReadings } from './queries.ts';
import { plants } from './schema.ts';

export function plantRoutes(app: App, deps: AppDeps): void {
  app.get(plantPaths.all, async (request, reply) => {
    const json = await readPlants(deps.db.pool, request.session.userId, deps.clock());
    return sendUnlessMatched(request, reply, json, contentEtag(json));
  });

  app.get(plantPaths.withReadings, async (request, reply) => {
    const json = await readPlantsWithReadings(deps.db.pool, request.session.userId, deps.clock());
    return sendUnlessMatched(request, reply, json, contentEtag(json));
  });

  app.get(plantPaths.one, async (request, reply) => {
    const plant = { userId: request.session.userId, id: plantIdOf(request) };
    const { json, etag } = await plantAnswer(deps, deps.db.pool, plant);
    return sendUnlessMatched(request, reply, json, etag);
  });

  app.post(plantPaths.all, { schema: { body: plantPayloadSchema } }, (request, reply) =>
    respondOnce(deps, request, reply, (tx) =>
      createPlant(deps, tx, request.session.userId, request.body),
    ),
  );

  app.put(plantPaths.one, { schema: { body: plantPayloadSchema } }, (request, reply) =>
    respondOnce(deps, request, reply, async (tx) => {
      const plant = await lockRequestedPlant(deps, tx, request);
      return await updatePlant(deps, tx, plant, request.body);
    }),
  );

  app.delete(plantPaths.one, (request, reply) =>
    respondOnce(deps, request, reply, async (tx) =>
      deletePlant(tx, await lockRequestedPlant(deps, tx, request)),
    ),
  );
}

async function createPlant(deps: AppDeps, tx: Transaction, userId: string, fields: PlantFields) {
  const now = deps.clock();
  const id = uuidv7();
  const due = { ...fields, last_watered: null, date_added: now.toISOString() };
  await tx.insert(plants).values({
    ...fields,
    userId,
    id,
    date_added: now,
    next_watering_date: new Date(nextWateringDate(due)),
  });
  return await plantAnswer(deps, tx.$client, { userId, id }, 201);
}

async function updatePlant(deps: AppDeps, tx: Transaction, plant: PlantRow, fields: PlantFields) {
  const due = {
    ...fields,
    last_watered: plant.last_watered?.toISOString() ?? null,
    date_added: plant.date_added.toISOString(),
  };
  await tx
    .update(plants)
    .set({
      ...fields,
      version: plant.version + 1,
      next_watering_date: new Date(nextWateringDate(due)),
      health_status: await judgeHealth(tx.$client, { ...plant, ...fields }, deps.clock()),
      ...unlocked(deps.clock()),
    })
    .where(isRow(plant));
  return await plantAnswer(deps, tx.$client, plant);
}

async function deletePlant(tx: Transaction, plant: PlantRow) {
  await tx.delete(plants).where(isRow(plant));
  const answer: MessageAnswer = { message: 'Plant deleted' };
  return { status: 200, json: JSON.stringify(answer) };
}

function isRow({ userId, id }: PlantRow) {
  return and(eq(plants.userId, userId), eq(plants.id, id));
}
