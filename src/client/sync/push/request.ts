import { changedValues } from '#client/store/journal/changed-fields.ts';
import { isUnlock, type Op } from '#client/store/outbox/op.ts';
import type { PlantRow } from '#client/store/schema.ts';
import { addEntryRequest, editEntryRequest, removeEntryRequest } from '#contract/journal.ts';
import { deletePhotoRequest, putPhotoRequest } from '#contract/photos.ts';
import {
  createPlantRequest,
  deletePlantRequest,
  updatePlantRequest,
  waterPlantRequest,
} from '#contract/plants.ts';
import type { ApiRequest } from '#contract/request.ts';
import { serverTimeOf, serverTimeOfEntry } from '../clock-offset.ts';
import { merge, payloadOf } from './merge.ts';
import type { DueOp } from './next-ops.ts';
import type { ConfirmedRecord } from './plant-record.ts';

/** The request that an op sends at every attempt from now on, and the values that it overwrites. */
export type FrozenRequest = { request: ApiRequest } & Pick<Op, 'overwritten'>;

/** What the times of a request are computed with. */
export interface Clock {
  /** How far the server's clock is ahead of the device's, ms. */
  clockOffset: number;
  /** Device's clock, ms. */
  now: number;
}

/**
 * The request of an op, bound to its plant's server id: the frozen one if it was sent before. `row`: the plant as last
 * confirmed; an update is merged into it if its ETag is known. Returns null for an update whose plant must be read from
 * the server first: its ETag is not known, or the row already contains the edits.
 */
export function requestOf(
  { op, plantId }: DueOp,
  row: Pick<PlantRow, 'record' | 'etag'> | undefined,
  clock: Clock,
): FrozenRequest | null {
  if (op.request) return { request: op.request };
  switch (op.type) {
    case 'create': {
      const addedAt = Math.min(op.occurredAt, clock.now);
      const query = { added_at: serverTimeOf(addedAt, clock.clockOffset, clock.now) };
      return { request: createPlantRequest(payloadOf(op.edits), query) };
    }
    case 'update':
      return row?.etag ? updateRequestOf(op, plantId, row, clock) : null;
    case 'water': {
      const payload = { watered_at: serverTimeOf(op.occurredAt, clock.clockOffset, clock.now) };
      return { request: waterPlantRequest(plantId, payload) };
    }
    case 'delete':
      return { request: deletePlantRequest(plantId) };
    case 'add_entry':
    case 'edit_entry':
    case 'remove_entry':
      return { request: entryRequestOf(op, plantId, clock) };
    case 'add_photo':
    case 'remove_photo':
      return { request: photoRequestOf(op, plantId, clock) };
  }
}

function entryRequestOf(op: Op, plantId: string, clock: Clock): ApiRequest {
  const { type, opId, entry, staleSends = 0 } = op;
  if (!entry) throw new Error(`The op ${opId} has no entry`);
  const { at, isServerTime, changed: _, ...values } = entry;
  const { clockOffset, now } = clock;
  if (type === 'remove_entry') return removeEntryRequest(plantId, entry.id);
  const serverTime = serverTimeOfEntry(isServerTime ? at - clockOffset : at, clockOffset, now);
  if (type === 'add_entry') return addEntryRequest(plantId, { ...values, at: serverTime });
  const { at: newAt, ...edit } = changedValues(entry);
  // The server accepts the entry's unchanged time, even if it is too old for a new entry. If it has rejected this time,
  // another device has changed the entry's, so the time is limited like a new one.
  const editedAt = isServerTime && staleSends === 0 ? new Date(at).toISOString() : serverTime;
  const time = newAt !== undefined && { at: editedAt };
  return editEntryRequest(plantId, entry.id, { ...time, ...edit });
}

function photoRequestOf({ type, opId, photo }: Op, plantId: string, clock: Clock): ApiRequest {
  if (!photo) throw new Error(`The op ${opId} has no photo`);
  if (type === 'remove_photo') return deletePhotoRequest(photo.id);
  return putPhotoRequest(photo.id, {
    plant_id: plantId,
    entry_id: photo.entryId ?? undefined,
    taken_at: serverTimeOfEntry(photo.takenAt, clock.clockOffset, clock.now),
  });
}

/**
 * The request of an update of this record, and what it overwrites; null if the record already contains the edits. An
 * unlock sends every field of the record unchanged. It does so even if the record's reason is not 'locked', because
 * older servers give another one, e.g. that the soil is moist.
 */
export function updateRequestOf(
  op: Op,
  plantId: string,
  { record, etag }: ConfirmedRecord,
  { clockOffset, now }: Clock,
): FrozenRequest | null {
  const query = { edited_at: serverTimeOfEntry(op.occurredAt, clockOffset, now) };
  if (isUnlock(op)) return { request: updatePlantRequest(plantId, payloadOf(record), etag, query) };
  const { payload, overwritten, isUpToDate } = merge(record, op);
  if (isUpToDate) return null;
  return { request: updatePlantRequest(plantId, payload, etag, query), overwritten };
}
