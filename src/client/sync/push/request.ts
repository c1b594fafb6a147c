import type { Op } from '#client/store/outbox/op.ts';
import {
  createPlantRequest,
  deletePlantRequest,
  updatePlantRequest,
  waterPlantRequest,
} from '#contract/plants.ts';
import type { ApiRequest } from '#contract/request.ts';
import { serverMoment } from '../clock-offset.ts';
import { merge, payloadOf } from './merge.ts';
import type { ConfirmedRecord } from './plant-record.ts';

/** 'needs-plant': the plant must be read from the server first, because an update is merged into it. */
export type OpRequest = { type: 'ready'; request: ApiRequest } | { type: 'needs-plant' };

interface Clock {
  /** How far the server's clock is ahead of the device's, ms. */
  clockOffset: number;
  /** Device's clock, ms. */
  now: number;
}

/** The request of an op, bound to its plant's server id: the frozen one if it was sent before. */
export function requestOf(op: Op, plantId: string, { clockOffset, now }: Clock): OpRequest {
  if (op.request) return { type: 'ready', request: op.request };
  switch (op.type) {
    case 'create':
      return { type: 'ready', request: createPlantRequest(payloadOf(op.edits)) };
    case 'update':
      return { type: 'needs-plant' };
    case 'water': {
      const moment = { watered_at: serverMoment(op.occurredAt, clockOffset, now) };
      return { type: 'ready', request: waterPlantRequest(plantId, moment) };
    }
    case 'delete':
      return { type: 'ready', request: deletePlantRequest(plantId) };
  }
}

/** The request of an update of this record, and what it overwrites; null when the record already holds the edits. */
export function updateRequestOf(
  op: Op,
  plantId: string,
  { record, etag }: ConfirmedRecord,
): (Pick<Op, 'overwritten'> & { request: ApiRequest }) | null {
  const { payload, overwritten, isThere } = merge(record, op);
  return isThere ? null : { request: updatePlantRequest(plantId, payload, etag), overwritten };
}
