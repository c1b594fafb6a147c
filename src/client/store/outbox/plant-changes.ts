import type { PlantFields } from '#domain/plant/fields.ts';
import type { PlantEdit } from '#domain/plant/form.ts';
import type { DeviceDb } from '../schema.ts';
import { enqueue, enqueueIn } from './enqueue.ts';
import { newOp, newOpId } from './op.ts';
import { writeIntent } from './write-intent.ts';

/** A change that the queue has taken. */
export interface Submission {
  /** The id to wait for its outcome with. */
  opId: string;
  /** Nothing older went into it: it may be taken back whole. */
  isOwn: boolean;
}

/**
 * Adds a plant at `now` (ms, device's clock) under a local id, which the screens go on using. Done when it is kept on
 * the device. The same `opId` again means the same plant.
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
 * Changes the edited fields of a plant at `now` (ms, device's clock) and no others. Merged into what waits unsent; a
 * refused change of the plant goes into this one, so that its text is sent after all.
 */
export async function changePlant(
  db: DeviceDb,
  plantKey: string,
  { edits, base }: PlantEdit,
  now: number,
  opId: string = newOpId(),
): Promise<Submission> {
  const op = newOp({ opId, entity: plantKey, type: 'update', edits, base, occurredAt: now });
  return writeIntent(db, () =>
    db.transaction('rw', db.plants, db.outbox, db.idmap, () => enqueueIn(db, op)),
  );
}

/**
 * Deletes a plant at `now` (ms, device's clock). It vanishes from the screens at once, with what was never sent of
 * it. Answers the id to wait for its outcome with.
 */
export function deletePlant(db: DeviceDb, plantKey: string, now: number): Promise<string> {
  const opId = newOpId();
  return enqueue(db, newOp({ opId, entity: plantKey, type: 'delete', occurredAt: now }));
}

/**
 * Takes a refused op back, for a form that still holds its text. False when it is being sent again, or is gone: then
 * it goes its own way.
 */
export function withdrawOp(db: DeviceDb, opId: string): Promise<boolean> {
  return db.transaction('rw', db.outbox, async () => {
    const op = await db.outbox.where('opId').equals(opId).first();
    if (!op || op.state === 'inflight') return false;
    await db.outbox.delete(op.seq);
    return true;
  });
}
