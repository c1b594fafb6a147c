import * as v from 'valibot';
import { send } from '#api/send.ts';
import {
  createPlantRequest,
  deletePlantRequest,
  plantRecordSchema,
  plantRequest,
  updatePlantRequest,
  waterPlantRequest,
} from '#contract/plants.ts';
import type { ApiRequest } from '#contract/request.ts';
import type { Op } from '#data/op.ts';
import { type PlantFields, type PlantRecord, plantFieldNames } from '#domain/plant.ts';
import { classify, type Fate } from './classify.ts';
import { readOffset, serverMoment } from './clock-offset.ts';
import { callOf, type SyncContext } from './context.ts';

export type Prepared = { request: ApiRequest } | { fate: Fate };

/**
 * The request that an op becomes, bound to its plant's server id. An update first reads the plant, so that only the
 * edited fields change; when that reading fails, its fate is the op's.
 */
export async function prepare(context: SyncContext, op: Op, plantId: string): Promise<Prepared> {
  switch (op.kind) {
    case 'create':
      return { request: createPlantRequest(payloadOf(op.edits)) };
    case 'update':
      return prepareUpdate(context, op, plantId);
    case 'water':
      return { request: await waterRequest(context, op, plantId) };
    case 'delete':
      return { request: deletePlantRequest(plantId) };
  }
}

async function prepareUpdate(context: SyncContext, op: Op, plantId: string): Promise<Prepared> {
  const answer = await send(plantRequest(plantId), callOf(context)).catch(() => null);
  const fate = classify('update', answer);
  if (fate.is !== 'done') return { fate };
  const fresh = v.safeParse(plantRecordSchema, fate.answer.body);
  if (!fresh.success) return { fate: classify('update', null) };
  const merged = payloadOf({ ...fresh.output, ...op.edits });
  return { request: updatePlantRequest(plantId, merged, fate.answer.etag) };
}

async function waterRequest({ db, now }: SyncContext, op: Op, plantId: string) {
  const wateredAt = serverMoment(op.occurredAt, await readOffset(db), now());
  return waterPlantRequest(plantId, { watered_at: wateredAt });
}

/** Exactly the payload's fields of whatever carries them. */
function payloadOf(source: Partial<PlantRecord>): PlantFields {
  return Object.fromEntries(
    plantFieldNames.map((name) => [name, source[name] ?? null]),
  ) as unknown as PlantFields;
}
