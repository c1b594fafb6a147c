import * as v from 'valibot';
import { type ApiResponse, send } from '#client/api/send.ts';
import type { Op } from '#client/store/outbox/op.ts';
import { plantRecordSchema, plantRequest } from '#contract/plants.ts';
import type { PlantRecord } from '#domain/plant/plant.ts';
import { requestOptions, type SyncContext } from '../context.ts';
import type { Fate } from './classify.ts';

export interface Confirmed {
  record: PlantRecord;
  etag: string | null;
}

/** 'none': there is none to have; 'unknown': it could not be read. */
export type Confirmation = Confirmed | 'none' | 'unknown';

/** Nobody has a plant without them: an answer that lacks them is no whole record. */
const essential = ['nickname', 'plant_name', 'species'] as const;

/** The whole record in an answer, if it is of that plant (null: of whichever). */
export function recordIn({ body, etag }: ApiResponse, plantId: string | null): Confirmed | null {
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
  // Only the answer to the create names the new plant; the server repeats it for the same key.
  if (isNew) return 'unknown';
  const answer = await send(plantRequest(plantId), requestOptions(context)).catch(() => null);
  if (answer?.status === 404 && answer.isJson) return 'none';
  return (answer?.ok && recordIn(answer, plantId)) || 'unknown';
}
