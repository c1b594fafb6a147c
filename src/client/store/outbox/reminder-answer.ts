import type { DeviceDb } from '../schema.ts';
import { enqueueIn } from './enqueue.ts';
import { newOp, newOpId } from './op.ts';
import { writeIntent } from './write-intent.ts';

/** The row of `meta` with the id of the last notification whose button was tapped. */
const answeredId = 'answered-reminder';

/**
 * Records at `now` (ms, device's clock) that the person watered the plants of a notification, all or none, as taps on
 * Water Now do. False, and nothing is recorded, if this notification (`id`) was answered before: browsers may deliver a
 * tap twice.
 */
export function addWateringsOnce(
  db: DeviceDb,
  { id, plants }: { id: string; plants: readonly { id: string; name: string }[] },
  now: number,
): Promise<boolean> {
  return writeIntent(db, () =>
    db.transaction('rw', db.plants, db.outbox, db.idmap, db.meta, async () => {
      if ((await db.meta.get(answeredId))?.value === id) return false;
      await db.meta.put({ id: answeredId, value: id });
      for (const { id: entity, name } of plants) {
        // The name of a plant that this device has not fetched yet, for the list of changes.
        const base = { nickname: name };
        const intent = { opId: newOpId(), entity, type: 'water', occurredAt: now, base } as const;
        await enqueueIn(db, newOp(intent));
      }
      return true;
    }),
  );
}
