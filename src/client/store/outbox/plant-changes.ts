import type { PlantFields } from '#domain/plant/fields.ts';
import type { PlantEdit } from '#domain/plant/form.ts';
import { idsOfPlant } from '../ids.ts';
import type { DeviceDb } from '../schema.ts';
import { enqueue, enqueueIn } from './enqueue.ts';
import { isUnlock, newOp, newOpId } from './op.ts';
import { writeChange } from './write-change.ts';

/** A change that was written to the outbox. */
export interface Submission {
  /** Pass it to waitForAnswer. */
  opId: string;
  /** Whether the op contains no earlier change, so that it can be withdrawn. */
  isOwn: boolean;
}

/**
 * Adds a plant at `now` (ms, device's clock) under a local id, which the screens keep using. Resolves once it is stored
 * on the device. Calling it again after withdrawOp, with the same `opId` and `now`, adds no second plant.
 */
export async function addPlant(
  db: DeviceDb,
  fields: PlantFields,
  now: number,
  opId: string = newOpId(),
): Promise<Submission> {
  const entity = `local-${opId}`;
  const op = newOp({ opId, entity, type: 'create', edits: fields, occurredAt: now });
  return { opId: await enqueue(db, op), isOwn: true };
}

/**
 * Changes only the edited fields of a plant, at `now` (ms, device's clock). The change is coalesced into the plant's
 * last op if that is an unsent create or update; the fields of a rejected create or update are sent with it. Stored
 * conflicts of the edited fields are deleted: undoing one would overwrite this change.
 */
export async function changePlant(
  db: DeviceDb,
  plantKey: string,
  { edits, base }: PlantEdit,
  now: number,
  opId: string = newOpId(),
): Promise<Submission> {
  const op = newOp({ opId, entity: plantKey, type: 'update', edits, base, occurredAt: now });
  return writeChange(db, () =>
    db.transaction('rw', db.plants, db.outbox, db.idmap, db.conflicts, async () => {
      if (!isUnlock(op)) await deleteConflicts(db, plantKey, edits);
      return enqueueIn(db, op);
    }),
  );
}

async function deleteConflicts(
  db: DeviceDb,
  plantKey: string,
  edits: Partial<PlantFields>,
): Promise<void> {
  const ids = await idsOfPlant(db, plantKey);
  await db.conflicts
    .filter(
      ({ entity, mine }) => ids.includes(entity) && Object.keys(mine).some((name) => name in edits),
    )
    .delete();
}

/**
 * Deletes a plant at `now` (ms, device's clock). It disappears from the screens at once, and its unsent and rejected
 * ops are dropped. Resolves with the op's id for waitForAnswer.
 */
export function deletePlant(db: DeviceDb, plantKey: string, now: number): Promise<string> {
  const opId = newOpId();
  return enqueue(db, newOp({ opId, entity: plantKey, type: 'delete', occurredAt: now }));
}

/**
 * Deletes an op whose values a form still shows. False when it is in flight or already deleted.
 */
export function withdrawOp(db: DeviceDb, opId: string): Promise<boolean> {
  return db.transaction('rw', db.outbox, async () => {
    const op = await db.outbox.where('opId').equals(opId).first();
    if (!op || op.state === 'inflight') return false;
    await db.outbox.delete(op.seq);
    return true;
  });
}
