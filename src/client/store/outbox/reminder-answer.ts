import { readClockOffset } from '../meta.ts';
import type { DeviceDb } from '../schema.ts';
import { enqueueIn } from './enqueue.ts';
import { canUndo, newOp, newOpId } from './op.ts';
import { opsOfPlant } from './outbox.ts';
import { readWaterings } from './waterings.ts';
import { writeIntent } from './write-intent.ts';

/** The row of `meta` with the id of the last notification whose button was tapped. */
const answeredId = 'answered-reminder';

/** A notification whose button was tapped. */
export interface AnsweredReminder {
  id: string;
  /** When it was shown (ms, device's clock); absent if an older version has shown it. */
  shownAt?: number;
  plants: readonly { id: string; name: string }[];
}

/**
 * Records at `now` (ms, device's clock) that the person watered the plants of a notification, all or none, each like a
 * tap on Water Now. Leaves out plants that were watered after the notification was shown, because it is out of date for
 * them. If this notification was the last one answered, records nothing and returns false: browsers may deliver a tap
 * twice.
 */
export function addWateringsOnce(
  db: DeviceDb,
  { id, shownAt, plants }: AnsweredReminder,
  now: number,
): Promise<boolean> {
  return writeIntent(db, () =>
    db.transaction('rw', [db.plants, db.outbox, db.idmap, db.journal, db.meta], async () => {
      if ((await db.meta.get(answeredId))?.value === id) return false;
      await db.meta.put({ id: answeredId, value: id });
      for (const { id: entity, name } of plants) {
        if (shownAt !== undefined && (await isWateredSince(db, entity, shownAt, now))) continue;
        // The list of changes needs the name if this device has not fetched the plant yet.
        const base = { nickname: name };
        const intent = { opId: newOpId(), entity, type: 'water', occurredAt: now, base } as const;
        await enqueueIn(db, newOp(intent));
      }
      return true;
    }),
  );
}

async function isWateredSince(
  db: DeviceDb,
  plantKey: string,
  since: number,
  now: number,
): Promise<boolean> {
  const clockOffset = await readClockOffset(db);
  // Ignores waterings that can still be undone. Recording the watering again makes them final.
  const ops = (await opsOfPlant(db, plantKey)).filter((op) => !canUndo(op, now));
  const times = await readWaterings(db, plantKey, ops, clockOffset);
  return times.some((time) => time >= since);
}
