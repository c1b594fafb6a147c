import { isPhotoOp, type Op } from '#client/store/outbox/op.ts';
import type { DeviceDb } from '#client/store/schema.ts';
import type { SyncContext } from '../context.ts';
import { confirmPhoto } from '../photos/confirm-photo.ts';
import { deletePlantRows, putPlantIfNew } from '../pull/plant-rows.ts';
import { storeConfirmedEntry } from './confirmed-entry.ts';
import type { ConfirmedRecord } from './plant-record.ts';
import type { SendResult } from './send.ts';

/** The result of an op that the server has applied. */
type ConfirmedResult = SendResult & { record: ConfirmedRecord | 'none' };

/**
 * Deletes an op that the server has applied, in the caller's transaction, and stores its effect: the plant's record,
 * the id of a new plant, the entry or the photo, and the values that it overwrote.
 */
export async function confirmOp(
  { db, now }: SyncContext,
  { claimed: { op, plantId }, result, record: confirmed }: ConfirmedResult,
): Promise<void> {
  await db.outbox.delete(op.seq);
  await storeConflicts(db, op, now());
  if (op.type === 'delete') await deletePlantRows(db, [plantId]);
  if (isPhotoOp(op)) {
    // An error response to a new photo says that it was deleted elsewhere after an earlier attempt.
    const isStored = op.type === 'add_photo' && !(result.type === 'done' && !result.response.ok);
    const plant = confirmed === 'none' ? null : confirmed.record;
    await confirmPhoto(db, op, { plantId, plant, isStored });
  }
  if (confirmed === 'none') return;
  if (op.type === 'create') {
    await db.idmap.put({ localId: op.entity, serverId: String(confirmed.record.id) });
  }
  await storeConfirmedEntry(db, op, confirmed.record);
  await putPlantIfNew(db, confirmed.record, confirmed.etag, now());
}

async function storeConflicts(db: DeviceDb, op: Op, at: number): Promise<void> {
  for (const { mine, theirs } of op.overwritten ?? []) {
    const [field] = Object.keys(mine);
    await db.conflicts.put({ id: `${op.opId} ${field}`, entity: op.entity, mine, theirs, at });
  }
}
