import * as v from 'valibot';
import { type Answer, send } from '#client/api/send.ts';
import type { Op } from '#client/store/outbox/op.ts';
import {
  plantListSchema,
  plantRecordSchema,
  plantRequest,
  plantsRequest,
} from '#contract/plants.ts';
import type { PlantRecord } from '#domain/plant/plant.ts';
import { callOf, type SyncContext } from '../context.ts';
import type { Fate } from './classify.ts';

export interface Confirmed {
  record: PlantRecord;
  etag: string | null;
}

/** 'none': there is none to have; 'unknown': asking failed; 'unclear': a new plant cannot be told from the others. */
export type Confirmation = Confirmed | 'none' | 'unknown' | 'unclear';

/** Nobody has a plant without them: an answer that lacks them is no whole record. */
const essential = ['nickname', 'plant_name', 'species'] as const;

/** The whole record in an answer, if it is of that plant (null: of whichever). */
export function recordIn({ body, etag }: Answer, plantId: string | null): Confirmed | null {
  const parsed = v.safeParse(plantRecordSchema, body);
  if (!parsed.success) return null;
  const record = parsed.output;
  if (plantId !== null && String(record.id) !== plantId) return null;
  return essential.every((name) => name in record) ? { record, etag } : null;
}

/** The record behind a success: the answer's own when it is whole and of this plant, else asked for. */
export async function confirmedRecord(
  context: SyncContext,
  op: Op,
  plantId: string,
  fate: Fate & { is: 'done' | 'landed' },
): Promise<Confirmation> {
  if (op.kind === 'delete') return 'none';
  const isNew = op.kind === 'create';
  const own = fate.is === 'done' ? recordIn(fate.answer, isNew ? null : plantId) : null;
  if (own) return own;
  if (isNew) return findLanded(context, op);
  const answer = await send(plantRequest(plantId), callOf(context)).catch(() => null);
  if (answer?.status === 404 && answer.isJson) return 'none';
  return (answer?.ok && recordIn(answer, plantId)) || 'unknown';
}

/**
 * A plant that the server took without telling us its id: the only one of its name and species that no plant of this
 * device claims.
 */
async function findLanded(context: SyncContext, { edits }: Op) {
  const answer = await send(plantsRequest(), callOf(context)).catch(() => null);
  const list = v.safeParse(plantListSchema, answer?.ok ? answer.body : null);
  if (!list.success) return 'unknown';
  const claimed = new Set((await context.db.idmap.toArray()).map(({ serverId }) => serverId));
  const [record, ...others] = list.output.filter(
    (one) => !claimed.has(String(one.id)) && essential.every((name) => one[name] === edits[name]),
  );
  return record && others.length === 0 ? { record, etag: null } : 'unclear';
}
