import type { Op } from '#client/store/outbox/op.ts';
import type { PlantRow } from '#client/store/schema.ts';
import {
  createPlantRequest,
  deletePlantRequest,
  updatePlantRequest,
  waterPlantRequest,
} from '#contract/plants.ts';
import type { ApiRequest } from '#contract/request.ts';
import { serverMoment } from '../clock-offset.ts';
import { merge, payloadOf } from './merge.ts';
import type { DueOp } from './next-ops.ts';
import type { ConfirmedRecord } from './plant-record.ts';

/** What an op sends from now on, and the values that it overwrites. */
export type FrozenRequest = { request: ApiRequest } & Pick<Op, 'overwritten'>;

interface Clock {
  /** How far the server's clock is ahead of the device's, ms. */
  clockOffset: number;
  /** Device's clock, ms. */
  now: number;
}

/**
 * The request of an op, bound to its plant's server id: the frozen one if it was sent before. `row`: the plant as last
 * confirmed; an update is merged into it while its ETag says which version it is. Null for an update whose plant has to
 * be read from the server first.
 */
export function requestOf(
  { op, plantId }: DueOp,
  row: Pick<PlantRow, 'record' | 'etag'> | undefined,
  { clockOffset, now }: Clock,
): FrozenRequest | null {
  if (op.request) return { request: op.request };
  switch (op.type) {
    case 'create':
      return { request: createPlantRequest(payloadOf(op.edits)) };
    case 'update':
      return row?.etag ? updateRequestOf(op, plantId, row) : null;
    case 'water': {
      const moment = { watered_at: serverMoment(op.occurredAt, clockOffset, now) };
      return { request: waterPlantRequest(plantId, moment) };
    }
    case 'delete':
      return { request: deletePlantRequest(plantId) };
  }
}

/** The request of an update of this record, and what it overwrites; null when the record already holds the edits. */
export function updateRequestOf(
  op: Op,
  plantId: string,
  { record, etag }: ConfirmedRecord,
): FrozenRequest | null {
  const { payload, overwritten, isThere } = merge(record, op);
  return isThere ? null : { request: updatePlantRequest(plantId, payload, etag), overwritten };
}
