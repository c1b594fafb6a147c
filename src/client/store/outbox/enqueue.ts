import { type PlantFields, plantFieldNames } from '#domain/plant/fields.ts';
import type { PlantRecord } from '#domain/plant/plant.ts';
import { plantRowOf } from '../ids.ts';
import type { DeviceDb } from '../schema.ts';
import { coalesce } from './coalesce.ts';
import type { NewOp, Op } from './op.ts';
import { opsOfPlant } from './outbox.ts';
import { writeChange } from './write-change.ts';

/**
 * Writes an op to the outbox, coalesced with the pending ops of its plant, in one transaction. Resolves with the id of
 * the op that now contains it, or of a dropped op if nothing has to be sent. If it cannot be stored, reports a storage
 * problem and rejects.
 */
export function enqueue(db: DeviceDb, op: NewOp): Promise<string> {
  return writeChange(db, () =>
    db.transaction(
      'rw',
      db.plants,
      db.outbox,
      db.idmap,
      async () => (await enqueueIn(db, op)).opId,
    ),
  );
}

/**
 * Like enqueue, in the caller's transaction on plants, outbox and idmap. `isOwn`: the op contains no earlier change.
 */
export async function enqueueIn(
  db: DeviceDb,
  op: NewOp,
): Promise<{ opId: string; isOwn: boolean }> {
  const [pending, row] = await Promise.all([opsOfPlant(db, op.entity), plantRowOf(db, op.entity)]);
  const change = coalesce(pending, withLastKnown(op, row?.record, pending));
  await db.outbox.bulkDelete(change.drop);
  if (change.replace) await db.outbox.put(change.replace);
  if (change.add) await db.outbox.add(change.add);
  const written = change.add ?? change.replace ?? pending.at(-1);
  const isOwn = change.add !== null && change.drop.length === 0;
  return { opId: written?.opId ?? op.opId, isOwn };
}

/** Calls `then` whenever this page adds an op, even one confirmed at once. Returns a function that unsubscribes. */
export function onOpAdded(db: DeviceDb, then: () => void): () => void {
  const created = db.outbox.hook('creating');
  const note = () => then();
  created.subscribe(note);
  return () => created.unsubscribe(note);
}

/** The fields of a record that a person can edit. */
export function fieldsOfRecord(record: PlantRecord): Partial<PlantFields> {
  return Object.fromEntries(
    plantFieldNames.map((name) => [name, record[name] ?? null]),
  ) as Partial<PlantFields>;
}

/**
 * Adds all fields of the plant to the base of an op that changes it, so that a plant that was deleted elsewhere can
 * still be named and restored. Pending edits are included, because they may be confirmed before this op is sent.
 */
function withLastKnown(op: NewOp, stored: PlantRecord | undefined, pending: readonly Op[]): NewOp {
  if (op.type === 'create' || op.type === 'delete') return op;
  const known = stored && fieldsOfRecord(stored);
  return { ...op, base: Object.assign({}, known, ...pending.map(({ edits }) => edits), op.base) };
}
