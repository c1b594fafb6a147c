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

/** Every record has these fields: a body that lacks one of them is not a whole record. */
const essential = ['nickname', 'plant_name', 'species'] as const;

/** The record in a response, if it is whole and of this plant (null: of any plant). */
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

/** Reads the plant from the server; null without a response. */
export async function readPlant(
  context: SyncContext,
  plantId: string,
): Promise<ApiResponse | null> {
  return send(plantRequest(plantId), requestOptions(context)).catch(() => null);
}

/**
 * The plant's record after a confirmed op: that of the response if it is whole and of this plant, otherwise read from
 * the server. 'none': the plant no longer exists. 'unreadable': it could not be read now.
 */
export async function confirmedRecord(
  context: SyncContext,
  op: Op,
  plantId: string,
  result: OpResult & { type: 'done' | 'applied-before' },
): Promise<ConfirmedRecord | 'none' | 'unreadable'> {
  if (op.type === 'delete') return 'none';
  const isCreate = op.type === 'create';
  const own = result.type === 'done' ? recordIn(result.response, isCreate ? null : plantId) : null;
  if (own) return own;
  // Only the response to the create contains the id of the new plant; the server repeats it for the same key.
  if (isCreate) return 'unreadable';
  const response = await readPlant(context, plantId);
  if (response?.status === 404 && response.isJson) return 'none';
  return (response?.ok && recordIn(response, plantId)) || 'unreadable';
}
