import type { FastifyReply, FastifyRequest } from 'fastify';
import { uuidv7 } from 'uuidv7';
import { headers } from '#contract/headers.ts';
import { deltaManipulation } from '#contract/plant-delta.ts';
import { plantPayloadSchema } from '#contract/plant-payload.ts';
import {
  createQuerySchema,
  type MessageResponse,
  plantPaths,
  updateQuerySchema,
} from '#contract/plants.ts';
import { maxBackDays } from '#domain/journal/entry.ts';
import { type PlantFields, plantFieldNames, wireFields } from '#domain/plant/fields.ts';
import { nextWateringDate } from '#domain/watering/schedule.ts';
import type { Transaction } from '../database/transaction.ts';
import type { App, AppDeps } from '../http/app-deps.ts';
import { sendUnlessMatched, versionedContentEtag } from '../http/etag.ts';
import { respondOnce } from '../http/idempotency.ts';
import { isUuid } from '../http/request-input.ts';
import { pastTimeOf } from '../journal/past-time.ts';
import { deletePhotosOf, storedPhoto } from '../journal/photos/store-photo.ts';
import { deleteMostReadings } from '../readings/delete-readings.ts';
import { showsCheck, unlockColumns } from '../watering/record-watering.ts';
import { changeStatement, listVersionEtag, listVersionIn } from './changes.ts';
import { readChanges } from './delta.ts';
import { lockRequestedPlant, plantIdOf, plantResponse, readOwnedPlant } from './owned-plant.ts';
import {
  judgeHealth,
  type PlantList,
  plantList,
  plantListWithReadings,
  readPlants,
} from './queries.ts';
import { isPlant, type PlantRow, plants } from './schema.ts';

const addedAtRule = { loc: ['query', 'added_at'], backDays: maxBackDays };

export function plantRoutes(app: App, deps: AppDeps): void {
  app.get(plantPaths.all, (request, reply) => sendList(deps, request, reply, plantList));

  app.get(plantPaths.withReadings, (request, reply) =>
    sendList(deps, request, reply, plantListWithReadings),
  );

  app.get(plantPaths.one, async (request, reply) => {
    const plant = { userId: request.session.userId, id: plantIdOf(request) };
    const { json, version } = await readOwnedPlant(deps, deps.db.pool, plant);
    return sendUnlessMatched(request, reply, json, versionedContentEtag(version, json));
  });

  const creation = { body: plantPayloadSchema, querystring: createQuerySchema };
  app.post(plantPaths.all, { schema: creation }, (request, reply) =>
    respondOnce(deps, request, reply, (tx) => {
      const { added_at } = request.query;
      const now = deps.clock();
      const addedAt = added_at === undefined ? now : pastTimeOf(added_at, addedAtRule, now);
      return createPlant(deps, tx, request.session.userId, { fields: request.body, addedAt });
    }),
  );

  const change = { body: plantPayloadSchema, querystring: updateQuerySchema };
  app.put(plantPaths.one, { schema: change }, (request, reply) =>
    respondOnce(deps, request, reply, async (tx) => {
      const plant = await lockRequestedPlant(deps, tx, request);
      const { edited_at } = request.query;
      const editedAt = edited_at === undefined ? deps.clock() : new Date(edited_at);
      return await updatePlant(deps, tx, plant, { fields: request.body, editedAt });
    }),
  );

  app.delete(plantPaths.one, (request, reply) =>
    respondOnce(deps, request, reply, async (tx) =>
      deletePlant(deps, tx, await lockRequestedPlant(deps, tx, request)),
    ),
  );
}

/** Sends a list of plants: whole, as a delta, or as a 304. */
async function sendList(
  { db: { pool }, clock }: AppDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  list: PlantList,
): Promise<FastifyReply> {
  const { userId } = request.session;
  const now = clock();
  const base = listVersionIn(request.headers[headers.ifNoneMatch]);
  const changes = base && (await readChanges(pool, list, { userId, base, now }));
  if (base && changes?.type === 'unchanged') {
    return sendUnlessMatched(request, reply, '', listVersionEtag(base));
  }
  if (base && changes?.type === 'delta' && acceptsDelta(request.headers[headers.aIm])) {
    return sendDelta(reply, changes, listVersionEtag(base));
  }
  const { json, version } = await readPlants(pool, list, { userId, now });
  return sendUnlessMatched(request, reply, json, listVersionEtag(version));
}

/** Whether the client accepts a delta instead of the whole list: its A-IM header (RFC 3229) names `sprig-delta`. */
function acceptsDelta(header: string | string[] | undefined): boolean {
  const names = String(header ?? '').split(',');
  return names.some((name) => name.split(';')[0]?.trim().toLowerCase() === deltaManipulation);
}

function sendDelta(reply: FastifyReply, delta: { json: string; etag: string }, base: string) {
  return reply
    .status(226)
    .headers({
      [headers.etag]: delta.etag,
      [headers.im]: deltaManipulation,
      [headers.deltaBase]: base,
      'cache-control': 'private, no-cache',
      'content-type': 'application/json; charset=utf-8',
    })
    .send(delta.json);
}

async function createPlant(
  deps: AppDeps,
  tx: Transaction,
  userId: string,
  { fields, addedAt }: { fields: PlantFields; addedAt: Date },
) {
  const id = uuidv7();
  const due = { ...fields, last_watered: null, date_added: addedAt.toISOString() };
  await tx.insert(plants).values({
    ...fields,
    userId,
    id,
    date_added: addedAt,
    next_watering_date: new Date(nextWateringDate(due)),
  });
  const response = await plantResponse(deps, tx.$client, { userId, id }, 201);
  return { ...response, lastStatement: changeStatement({ userId, id }, { now: deps.clock() }) };
}

async function updatePlant(
  deps: AppDeps,
  tx: Transaction,
  plant: PlantRow,
  { fields, editedAt }: { fields: PlantFields; editedAt: Date },
) {
  const now = deps.clock();
  const isUnlocked =
    unlocks(plant, fields) && !(await isLateEdit(tx, plant, fields, editedAt, now));
  const due = {
    ...fields,
    last_watered: plant.last_watered?.toISOString() ?? null,
    snoozed_until: plant.snoozed_until?.toISOString(),
    date_added: plant.date_added.toISOString(),
  };
  await tx
    .update(plants)
    .set({
      ...fields,
      ...((await isDeletedPhoto(tx, plant, fields.photo_id)) && { photo_id: null }),
      version: plant.version + 1,
      next_watering_date: new Date(nextWateringDate(due)),
      health_status: await judgeHealth(tx.$client, { ...plant, ...fields }, now),
      ...(isUnlocked && unlockColumns(plant, now)),
      // Automatic watering ignores readings from before `deviceSince`. If the plant had no device, `deviceSince` is not
      // changed: its readings were sent with the plant's id and are regarded as readings of the new device.
      ...(plant.device_id !== null && plant.device_id !== fields.device_id && { deviceSince: now }),
      ...(plant.device_id !== fields.device_id && { deviceChangedAt: now }),
    })
    .where(isPlant(plant));
  const response = await plantResponse(deps, tx.$client, plant);
  return { ...response, lastStatement: changeStatement(plant, { now }) };
}

/**
 * Whether an edit chooses as picture a photo that another device has deleted meanwhile. A photo that the server does
 * not know may still be sent.
 */
async function isDeletedPhoto(
  tx: Transaction,
  plant: PlantRow,
  photoId: string | null | undefined,
): Promise<boolean> {
  if (!photoId || photoId === plant.photo_id || !isUuid(photoId)) return false;
  return (await storedPhoto(tx.$client, plant.userId, photoId))?.isDeleted === true;
}

const notInForm = new Set(
  wireFields.filter(({ spec }) => spec.step === null).map(({ name }) => name),
);

/**
 * Whether an edit unlocks automatic watering: always, unless it changes only fields that are not in the plant's form:
 * the picture and the reminder settings. Saving unchanged fields unlocks it too.
 */
function unlocks(plant: PlantRow, fields: PlantFields): boolean {
  const edited = plantFieldNames.filter(
    (name) => fields[name] !== undefined && fields[name] !== plant[name],
  );
  return edited.length === 0 || edited.some((name) => !notInForm.has(name));
}

/**
 * Whether an edit was made before automatic watering last tried to water, so that it does not show that somebody has
 * checked pump and tank since. Never if the edit turns automatic watering off or changes the device.
 */
async function isLateEdit(
  tx: Transaction,
  plant: PlantRow,
  { auto_watering_enabled, device_id }: PlantFields,
  editedAt: Date,
  now: Date,
): Promise<boolean> {
  if (!auto_watering_enabled || device_id !== plant.device_id) return false;
  return !(await showsCheck(tx, plant, editedAt, now));
}

async function deletePlant(deps: AppDeps, tx: Transaction, plant: PlantRow) {
  await deleteMostReadings(tx.$client, plant);
  await deletePhotosOf(tx.$client, plant);
  await tx.delete(plants).where(isPlant(plant));
  const response: MessageResponse = { message: 'Plant deleted' };
  return {
    status: 200,
    json: JSON.stringify(response),
    lastStatement: changeStatement(plant, { now: deps.clock(), isDeleted: true }),
  };
}
