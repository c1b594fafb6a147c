import { idsOfPlant } from '../ids.ts';
import { whenRead } from '../live-store.ts';
import type { DeviceDb } from '../schema.ts';
import { isUnsent, type Op } from './op.ts';

/** A plant's ops, oldest first, by either id of the plant. */
export async function opsOfPlant(db: DeviceDb, entity: string): Promise<Op[]> {
  const namedBy = (ids: string[]) => db.outbox.where('entity').anyOf(ids).sortBy('seq');
  // Few plants have a second id. Reading ops and ids in parallel saves a round trip to the database on every tap on
  // Water Now.
  const [own, ids] = await Promise.all([namedBy([entity]), idsOfPlant(db, entity)]);
  return ids.length === 1 ? own : namedBy(ids);
}

/** Ops that need a decision of the person. Uses an index, since the outbox may be long. */
export async function rejectedOps(db: DeviceDb): Promise<Op[]> {
  return db.outbox.where('state').equals('rejected').toArray();
}

/** Number of ops that are not rejected, including those that wait for a rejected create. */
export async function countWaiting(db: DeviceDb): Promise<number> {
  return (await db.outbox.count()) - (await db.outbox.where('state').equals('rejected').count());
}

/** Whether an op is in flight. */
export async function isSending(db: DeviceDb): Promise<boolean> {
  return (await db.outbox.where('state').equals('inflight').count()) > 0;
}

/** The sequence number of the newest op; 0 for an empty outbox. An op that is added later has a higher one. */
export async function newestSeq(db: DeviceDb): Promise<number> {
  return (await db.outbox.toCollection().last())?.seq ?? 0;
}

/** Number of pending ops, rejected ones included. */
export function countPending(db: DeviceDb): Promise<number> {
  return db.outbox.count();
}

/** Ends the undo period of all unsent ops, so that they are sent at once. */
export async function endUndo(db: DeviceDb): Promise<void> {
  const canBeUndone = (op: Op) => op.undoUntil !== undefined && isUnsent(op);
  await db.outbox.filter(canBeUndone).modify((op) => {
    delete op.undoUntil;
  });
}

/** Resolves once the outbox is empty or cannot be read, and after `ms` at the latest. Never rejects. */
export function whenOutboxEmpty(db: DeviceDb, ms: number): Promise<void> {
  return whenRead(
    () => countPending(db),
    (count) => count === 0,
    ms,
  );
}
