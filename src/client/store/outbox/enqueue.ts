import { type PlantFields, plantFieldNames } from '#domain/plant/fields.ts';
import type { PlantRecord } from '#domain/plant/plant.ts';
import { plantRowOf } from '../ids.ts';
import type { DeviceDb } from '../schema.ts';
import { coalesce } from './coalesce.ts';
import type { NewOp } from './op.ts';
import { opsOfPlant } from './queue.ts';
import { writeIntent } from './write-intent.ts';

/**
 * Writes an intent into the queue, merged with what still waits for the same plant, in one transaction.
 * Answers the id of the op that now stands for it. Rejects when it could not be kept, and the database's trouble says
 * why.
 */
export function enqueue(db: DeviceDb, op: NewOp): Promise<string> {
  return writeIntent(db, () =>
    db.transaction(
      'rw',
      db.plants,
      db.outbox,
      db.idmap,
      async () => (await enqueueIn(db, op)).opId,
    ),
  );
}

/** As enqueue, within the caller's transaction on plants, outbox and idmap. `isOwn`: nothing older went into it. */
export async function enqueueIn(
  db: DeviceDb,
  op: NewOp,
): Promise<{ opId: string; isOwn: boolean }> {
  const [waiting, whole] = await Promise.all([opsOfPlant(db, op.entity), withLastKnown(db, op)]);
  const change = coalesce(waiting, whole);
  await db.outbox.bulkDelete(change.drop);
  if (change.replace) await db.outbox.put(change.replace);
  if (change.add) await db.outbox.add(change.add);
  const standsFor = change.add ?? change.replace ?? waiting.at(-1);
  const isOwn = change.add !== null && change.drop.length === 0;
  return { opId: standsFor?.opId ?? op.opId, isOwn };
}

/** Calls `then` whenever this page writes an intent into the queue, however soon it is sent. Answers how to end it. */
export function onIntent(db: DeviceDb, then: () => void): () => void {
  const created = db.outbox.hook('creating');
  const note = () => then();
  created.subscribe(note);
  return () => created.unsubscribe(note);
}

/** What a person may set of a plant, as a record has it. */
export function fieldsOfRecord(record: PlantRecord): Partial<PlantFields> {
  return Object.fromEntries(
    plantFieldNames.map((name) => [name, record[name] ?? null]),
  ) as Partial<PlantFields>;
}

/**
 * Gives an edit or a watering its whole plant as a base: should the server have lost the plant when it arrives, it can
 * be named and made anew. Within the caller's transaction on plants and idmap.
 */
async function withLastKnown(db: DeviceDb, op: NewOp): Promise<NewOp> {
  if (op.type !== 'update' && op.type !== 'water') return op;
  const row = await plantRowOf(db, op.entity);
  return row ? { ...op, base: { ...fieldsOfRecord(row.record), ...op.base } } : op;
}
