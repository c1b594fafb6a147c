import * as v from 'valibot';
import { type ApiResponse, send } from '#client/api/send.ts';
import type { Op } from '#client/store/outbox/op.ts';
import { plantRecordSchema, plantRequest } from '#contract/plants.ts';
import type { PlantRecord } from '#domain/plant/plant.ts';
import { requestOptions, type SyncContext } from '../context.ts';
import type { OpResult } from './classify.ts';

export interface ConfirmedRecord {
  record: PlantRecord;
  etag: string | null;
}

/** Every plant has these: a body that lacks one of them is not the whole record. */
const essential = ['nickname', 'plant_name', 'species'] as const;

/** The whole record in a response, if it is that plant's (null: any plant's). */
export function recordIn(
  { body, etag }: ApiResponse,
  plantId: string | null,
): ConfirmedRecord | null {
  const parsed = v.safeParse(plantRecordSchema, body);
  if (!parsed.success) return null;
  const record = parsed.output;
  if (plantId !== null && String(record.id) !== plantId) return null;
  return essential.every((name) => name in record) ? { record, etag } : null;
}

/** The plant as the server has it now; null when there is no answer. */
export async function readPlant(
  context: SyncContext,
  plantId: string,
): Promise<ApiResponse | null> {
  return send(plantRequest(plantId), requestOptions(context)).catch(() => null);
}

/**
 * The record that a confirmed op leaves behind: the response's own when it is whole and of this plant, else read from
 * the server. 'none': the plant no longer exists. 'unreadable': it could not be read now.
 */
export async function confirmedRecord(
  context: SyncContext,
  op: Op,
  plantId: string,
  result: OpResult & { type: 'done' | 'landed' },
): Promise<ConfirmedRecord | 'none' | 'unreadable'> {
  if (op.type === 'delete') return 'none';
  const isCreate = op.type === 'create';
  const own = result.type === 'done' ? recordIn(result.response, isCreate ? null : plantId) : null;
  if (own) return own;
  // Only the answer to the create names the new plant; the server repeats it for the same key.
  if (isCreate) return 'unreadable';
  const response = await readPlant(context, plantId);
  if (response?.status === 404 && response.isJson) return 'none';
  return (response?.ok && recordIn(response, plantId)) || 'unreadable';
}
