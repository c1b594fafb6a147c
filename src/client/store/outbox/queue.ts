import { liveQuery } from 'dexie';
import { idsOfPlant } from '../ids.ts';
import type { DeviceDb } from '../schema.ts';
import type { Op } from './op.ts';

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

/** Whether a change is on its way to the server at this moment. */
export async function isSending(db: DeviceDb): Promise<boolean> {
  return (await db.outbox.where('state').equals('inflight').count()) > 0;
}

/** Changes that the server does not have, refused ones included. */
export function countUnsent(db: DeviceDb): Promise<number> {
  return db.outbox.count();
}

/** Resolves once nothing is left to send, at latest after `ms`. */
export function whenAllSent(db: DeviceDb, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(finish, ms);
    const subscription = liveQuery(() => countUnsent(db)).subscribe({
      next: (count) => count === 0 && finish(),
      error: finish,
    });
    function finish(): void {
      clearTimeout(timer);
      subscription?.unsubscribe();
      resolve();
    }
  });
}
