import { idsOfPlant } from '../ids.ts';
import type { DeviceDb } from '../schema.ts';
import { writeIntent } from '../write-intent.ts';
import { coalesce } from './coalesce.ts';
import { withLastKnown } from './last-known.ts';
import type { NewOp, Op } from './op.ts';

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

/** A plant's ops, oldest first, whether they name it by its local or its server id. */
export async function opsOfPlant(db: DeviceDb, entity: string): Promise<Op[]> {
  const namedBy = (ids: string[]) => db.outbox.where('entity').anyOf(ids).sortBy('seq');
  // Few plants have a second id: reading together saves every tap on Water Now a round trip to the database.
  const [own, ids] = await Promise.all([namedBy([entity]), idsOfPlant(db, entity)]);
  return ids.length === 1 ? own : namedBy(ids);
}

/** What goes nowhere before the person has decided, by index: the queue may be long. */
export async function rejectedOps(db: DeviceDb): Promise<Op[]> {
  return db.outbox.where('state').equals('rejected').toArray();
}

/** How many changes go their way by themselves. */
export async function countWaiting(db: DeviceDb): Promise<number> {
  return (await db.outbox.count()) - (await db.outbox.where('state').equals('rejected').count());
}
