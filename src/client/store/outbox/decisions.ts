import type { PlantFields } from '#domain/plant/fields.ts';
import { plantRowOf } from '../ids.ts';
import type { DeviceDb } from '../schema.ts';
import { requestRound } from '../sync-status.ts';
import { enqueueIn, fieldsOfRecord } from './enqueue.ts';
import { attachUnsentPhotos } from './entries.ts';
import { entryIdOf, isRejected, type NewOp, newOp, newOpId, type Op } from './op.ts';
import { opsOfPlant } from './outbox.ts';
import { writeChange } from './write-change.ts';

/** The person's decisions about rejected ops and conflicts. */

/**
 * Queues a rejected op again, with the same key. Its request is built again and may differ: the server keeps no key of
 * a request that it rejected. `attempts` is not reset, since it identifies the claim that a result belongs to. False if
 * the op is no longer rejected.
 */
export function retryOp(db: DeviceDb, opId: string): Promise<boolean> {
  return decide(db, opId, (op) => queueAgain(db, op));
}

/** Deletes a rejected op, and for a create all ops of its plant. False if it is no longer rejected. */
export function discardOp(db: DeviceDb, opId: string): Promise<boolean> {
  return decide(db, opId, async (op) => {
    const ops = op.type === 'create' ? await opsOfPlant(db, op.entity) : [op];
    await db.outbox.bulkDelete(ops.map(({ seq }) => seq));
  });
}

/** Hides the notice of an op, which stays in the list of changes. */
export async function dismissNotice(db: DeviceDb, opId: string): Promise<void> {
  await writeChange(db, () => db.outbox.where('opId').equals(opId).modify({ isNoticed: true }));
}

async function queueAgain(db: DeviceDb, { seq }: Op): Promise<void> {
  const queued = { state: 'queued', request: null, nextAt: 0, lastError: null } as const;
  await db.outbox.update(seq, { ...queued, isNoticed: false });
}

function decide(db: DeviceDb, opId: string, act: (op: Op) => Promise<void>): Promise<boolean> {
  return writeChange(db, () =>
    db.transaction('rw', db.outbox, db.idmap, db.syncState, async () => {
      const op = await db.outbox.where('opId').equals(opId).first();
      if (op?.state !== 'rejected') return false;
      await act(op);
      await requestRound(db);
      return true;
    }),
  );
}

/**
 * Adds a plant that was deleted elsewhere as a new one, created at `now` (ms, device's clock). It gets the last known
 * fields with later edits, and the unconfirmed waterings, entries and photos, each with its own time. An edited entry
 * is added as a new one. Ops in flight are included, because the server rejects them too: it no longer has the plant.
 * Their results are ignored. Resolves with the new plant's key; null if the op is no longer rejected.
 */
export function restoreAsNew(db: DeviceDb, opId: string, now: number): Promise<string | null> {
  const createId = newOpId();
  const entity = `local-${createId}`;
  return writeChange(db, () =>
    db.transaction('rw', db.plants, db.outbox, db.idmap, async () => {
      const rejected = await db.outbox.where('opId').equals(opId).first();
      if (rejected?.state !== 'rejected') return null;
      const ops = await opsOfPlant(db, rejected.entity);
      const edits = await lastKnownFields(db, rejected.entity, ops);
      await db.outbox.bulkDelete(ops.map(({ seq }) => seq));
      await enqueueIn(
        db,
        newOp({ opId: createId, entity, type: 'create', edits, occurredAt: now }),
      );
      // The new ids of the entries, by their old ids. Later edits and removals refer to the new ids.
      const entryIds = new Map<string | null, string>();
      for (const op of ops) {
        const change = changeOfAddition(op, entryIds) ?? additionAgain(op);
        if (!change) continue;
        const { opId } = await enqueueIn(db, { ...change, entity, base: {} });
        if (change.type === 'remove_entry') entryIds.delete(entryIdOf(op));
        else entryIds.set(entryIdOf(op), opId);
      }
      // Photos come last: the new id of an entry on the server comes from an edit, which may follow the photo.
      for (const op of ops) {
        const again = photoAgain(op, ops, entryIds);
        if (again) await enqueueIn(db, { ...again, entity });
      }
      return entity;
    }),
  );
}

/**
 * Adds an entry again that was deleted elsewhere, with the values of its rejected edit, in place of that op. Its photos
 * that are unsent or rejected will belong to the new entry. False if the op is no longer rejected.
 */
export function addEntryAgain(db: DeviceDb, opId: string): Promise<boolean> {
  return decide(db, opId, async (op) => {
    const again = additionAgain(op);
    if (!again) return;
    await db.outbox.put({ ...again, seq: op.seq });
    await attachUnsentPhotos(db, await opsOfPlant(db, op.entity), op.entry?.id ?? '', again.opId);
  });
}

/** An op that adds again the watering or entry that the op adds, or the entry that it edits. Null for other ops. */
function additionAgain(op: Op): NewOp | null {
  const { type, entity, entry, occurredAt, base } = op;
  const opId = newOpId();
  switch (type) {
    case 'water':
      return newOp({ opId, entity, type, occurredAt, base });
    case 'add_entry':
    case 'edit_entry': {
      if (!entry) return null;
      const { changed: _, ...values } = entry;
      const added = { ...values, id: opId };
      return newOp({ opId, entity, type: 'add_entry', entry: added, occurredAt, base });
    }
    default:
      return null;
  }
}

/**
 * A new op that again adds the photo that the op adds, to the new entry or to none. Null for other ops and if the photo
 * was removed. `ops`: those of the plant. `entryIds`: the new ids of entries by their old ids.
 */
function photoAgain(
  { type, entity, photo, occurredAt }: Op,
  ops: readonly Op[],
  entryIds: ReadonlyMap<string | null, string>,
): NewOp | null {
  if (type !== 'add_photo' || !photo) return null;
  const isRemoval = (op: Op) => op.type === 'remove_photo' && op.photo?.id === photo.id;
  if (ops.some((op) => isRemoval(op) && !isRejected(op))) return null;
  const entryId = entryIds.get(photo.entryId) ?? null;
  return newOp({ opId: newOpId(), entity, type, photo: { ...photo, entryId }, occurredAt });
}

/**
 * If the op edits or removes an entry that is added again under a new id, returns the same change for that id. It is
 * then coalesced into the op that adds the entry. Null for any other op.
 */
function changeOfAddition(
  { type, entity, entry, occurredAt }: Op,
  entryIds: ReadonlyMap<string | null, string>,
): NewOp | null {
  if (!entry || (type !== 'edit_entry' && type !== 'remove_entry')) return null;
  const id = entryIds.get(entry.id);
  if (id === undefined) return null;
  return newOp({ opId: newOpId(), entity, type, entry: { ...entry, id }, occurredAt });
}

/** A required field that is unknown is left out. The server then rejects the create, and the person can add it. */
async function lastKnownFields(
  db: DeviceDb,
  entity: string,
  ops: readonly Op[],
): Promise<Partial<PlantFields>> {
  const row = await plantRowOf(db, entity);
  return Object.assign(
    {},
    ...ops.map(({ base }) => base),
    row && fieldsOfRecord(row.record),
    ...ops.map(({ edits }) => edits),
  );
}

/**
 * Restores the values that this device overwrote, as an update made at `now` (ms, device's clock). False if the
 * conflict no longer exists.
 */
export function undoConflict(db: DeviceDb, id: string, now: number): Promise<boolean> {
  return writeChange(db, () =>
    db.transaction('rw', db.plants, db.outbox, db.idmap, db.conflicts, async () => {
      const conflict = await db.conflicts.get(id);
      if (!conflict) return false;
      const { entity, mine, theirs } = conflict;
      const fields = { edits: theirs, base: mine };
      await enqueueIn(
        db,
        newOp({ opId: newOpId(), entity, type: 'update', ...fields, occurredAt: now }),
      );
      await db.conflicts.delete(id);
      return true;
    }),
  );
}

/** The person accepts this device's value. */
export function dismissConflict(db: DeviceDb, id: string): Promise<void> {
  return writeChange(db, () => db.conflicts.delete(id));
}
