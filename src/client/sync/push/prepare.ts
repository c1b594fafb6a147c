import { send } from '#client/api/send.ts';
import type { Op, Overwritten } from '#client/store/outbox/op.ts';
import {
  createPlantRequest,
  deletePlantRequest,
  plantRequest,
  updatePlantRequest,
  waterPlantRequest,
} from '#contract/plants.ts';
import type { ApiRequest } from '#contract/request.ts';
import { serverMoment } from '../clock-offset.ts';
import { requestOptions, type SyncContext } from '../context.ts';
import { classify, type Fate } from './classify.ts';
import { recordIn } from './confirmed-record.ts';
import { merge, payloadOf } from './merge.ts';

export type Prepared = { request: ApiRequest; overwritten?: Overwritten[] } | { fate: Fate };

/**
 * The request that an op becomes, bound to its plant's server id; null for an update, which reads the plant first.
 * `clockOffset`: how far the server's clock is ahead of the device's, which says `now` (ms).
 */
export function readyRequest(
  op: Op,
  plantId: string,
  clockOffset: number,
  now: number,
): ApiRequest | null {
  switch (op.kind) {
    case 'create':
      return createPlantRequest(payloadOf(op.edits));
    case 'update':
      return null;
    case 'water':
      return waterPlantRequest(plantId, {
        watered_at: serverMoment(op.occurredAt, clockOffset, now),
      });
    case 'delete':
      return deletePlantRequest(plantId);
  }
}

/**
 * The request of an update: the plant as it is there, with only the edited fields changed. When it cannot be read, or
 * shows the edit already there, that is the op's fate.
 */
export async function prepareUpdate(
  context: SyncContext,
  op: Op,
  plantId: string,
): Promise<Prepared> {
  const answer = await send(plantRequest(plantId), requestOptions(context)).catch(() => null);
  const fate = classify('update', answer);
  if (fate.is !== 'done') return { fate };
  const fresh = recordIn(fate.answer, plantId);
  if (!fresh) return { fate: classify('update', null) };
  const { payload, overwritten, isThere } = merge(fresh.record, op);
  if (isThere) return { fate };
  return { request: updatePlantRequest(plantId, payload, fresh.etag), overwritten };
}
