import { and, eq } from 'drizzle-orm';
import { uuidv7 } from 'uuidv7';
import { headers } from '#contract/headers.ts';
import { plantPayloadSchema } from '#contract/plant-payload.ts';
import { type MessageAnswer, plantPaths } from '#contract/plants.ts';
import type { PlantFields } from '#domain/plant.ts';
import { nextWateringDate } from '#domain/schedule.ts';
import type { Transaction } from '../db/database.ts';
import { healthNow } from '../db/health-now.ts';
import { readPlant, readPlants, readPlantsWithReadings } from '../db/plant-queries.ts';
import { plants } from '../db/plant-schema.ts';
import { unlocked } from '../db/watering-records.ts';
import type { AppDeps } from '../deps.ts';
import { contentEtag, sendUnlessKnown, versionEtag } from '../http/conditional.ts';
import { once, sendAnswer } from '../http/idempotency.ts';
import type { App } from '../http/validation.ts';
import { lockPlant, plantIdOf, plantNotFound, refuseOtherVersion } from './owned-plant.ts';

export function plantRoutes(app: App, deps: AppDeps): void {
  app.get(plantPaths.all, async (request, reply) => {
    const json = await readPlants(deps.db, request.session.userId, deps.clock());
    return sendUnlessKnown(request, reply, json, contentEtag(json));
  });

  app.get(plantPaths.withReadings, async (request, reply) => {
    const json = await readPlantsWithReadings(deps.db, request.session.userId, deps.clock());
    return sendUnlessKnown(request, reply, json, contentEtag(json));
  });

  app.get(plantPaths.one, async (request, reply) => {
    const { json, version } = await requirePlant(
      deps,
      deps.db.orm,
      request.session.userId,
      plantIdOf(request),
    );
    return sendAnswer(reply, { status: 200, json, etag: versionEtag(version) });
  });

  app.post(plantPaths.all, { schema: { body: plantPayloadSchema } }, async (request, reply) =>
    sendAnswer(
      reply,
      await once(deps, request, (tx) =>
        createPlant(deps, tx, request.session.userId, request.body),
      ),
    ),
  );

  app.put(plantPaths.one, { schema: { body: plantPayloadSchema } }, async (request, reply) =>
    sendAnswer(
      reply,
      await once(deps, request, (tx) =>
        updatePlant(
          deps,
          tx,
          request.session.userId,
          plantIdOf(request),
          request.body,
          request.headers[headers.ifMatch],
        ),
      ),
    ),
  );

  app.delete(plantPaths.one, async (request, reply) =>
    sendAnswer(
      reply,
      await once(deps, request, (tx) =>
        deletePlant(
          deps,
          tx,
          request.session.userId,
          plantIdOf(request),
          request.headers[headers.ifMatch],
        ),
      ),
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
  const { json, version } = await requirePlant(deps, tx, userId, id);
  return { status: 201, json, etag: versionEtag(version) };
}

async function updatePlant(
  deps: AppDeps,
  tx: Transaction,
  userId: string,
  id: string,
  fields: PlantFields,
  ifMatch: string | undefined,
) {
  const plant = await lockPlant(tx, userId, id);
  await refuseOtherVersion(deps, tx, plant, ifMatch);
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
      health_status: await healthNow(tx, { ...plant, ...fields }, deps.clock()),
      ...unlocked(deps.clock()),
    })
    .where(and(eq(plants.userId, userId), eq(plants.id, id)));
  const { json, version } = await requirePlant(deps, tx, userId, id);
  return { status: 200, json, etag: versionEtag(version) };
}

async function deletePlant(
  deps: AppDeps,
  tx: Transaction,
  userId: string,
  id: string,
  ifMatch: string | undefined,
) {
  const plant = await lockPlant(tx, userId, id);
  await refuseOtherVersion(deps, tx, plant, ifMatch);
  await tx.delete(plants).where(and(eq(plants.userId, userId), eq(plants.id, id)));
  const answer: MessageAnswer = { message: 'Plant deleted' };
  return { status: 200, json: JSON.stringify(answer) };
}

async function requirePlant(
  deps: AppDeps,
  executor: Pick<Transaction, 'execute'>,
  userId: string,
  id: string,
) {
  const plant = await readPlant(executor, userId, id, deps.clock());
  if (!plant) throw plantNotFound();
  return plant;
}
