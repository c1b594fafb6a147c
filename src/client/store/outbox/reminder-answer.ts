import { plantRowOf } from '../ids.ts';
import { readClockOffset } from '../meta.ts';
import type { DeviceDb } from '../schema.ts';
import { enqueueIn } from './enqueue.ts';
import { canUndo, newOp, newOpId } from './op.ts';
import { opsOfPlant } from './outbox.ts';
import { readWaterings } from './waterings.ts';
import { writeChange } from './write-change.ts';

/** The row of `meta` with the id of the last notification whose button was tapped. */
const answeredId = 'answered-reminder';

interface AnsweredPlant {
  id: string;
  name: string;
}

/** A notification whose button was tapped. */
export interface AnsweredReminder {
  id: string;
  /** When it was shown (ms, device's clock); absent if an older version has shown it. */
  shownAt?: number;
  plants: readonly AnsweredPlant[];
  /** By id, plants that no longer need water. */
  done: ReadonlyMap<string, unknown>;
}

/**
 * Records at `now` (ms, device's clock) that the person watered the plants of a notification, all or none, each like a
 * tap on Water Now. Leaves out plants that were watered after the notification was shown or no longer need water,
 * because it is out of date for them. If this notification was the last one answered (`isKnown`), records nothing:
 * browsers may deliver a tap twice. Resolves also with the plants that are watered, by this answer or before.
 */
export function addWateringsOnce(
  db: DeviceDb,
  { id, shownAt, plants, done }: AnsweredReminder,
  now: number,
): Promise<{ isKnown: boolean; plants: AnsweredPlant[] }> {
  return writeChange(db, () =>
    db.transaction('rw', [db.plants, db.outbox, db.idmap, db.journal, db.meta], async () => {
      const isKnown = (await db.meta.get(answeredId))?.value === id;
      await db.meta.put({ id: answeredId, value: id });
      const watered: AnsweredPlant[] = [];
      for (const plant of plants) {
        const { id: entity, name } = plant;
        const isWatered =
          shownAt === undefined ? isKnown : await isWateredSince(db, entity, shownAt, now);
        if (isWatered) {
          watered.push(plant);
        } else if (!isKnown && (!done.has(entity) || (await canUndoWatering(db, entity, now)))) {
          // The list of changes needs the name if this device has not fetched the plant yet. Otherwise the name may be
          // older than the stored one, and it is shortened.
          const base = (await isUnknownPlant(db, entity)) ? { nickname: name } : {};
          const change = { opId: newOpId(), entity, type: 'water', occurredAt: now, base } as const;
          await enqueueIn(db, newOp(change));
          watered.push(plant);
        }
      }
      return { isKnown, plants: watered };
    }),
  );
}

/** Ignores waterings that can still be undone. Recording the watering again makes them final. */
async function isWateredSince(
  db: DeviceDb,
  plantKey: string,
  since: number,
  now: number,
): Promise<boolean> {
  const clockOffset = await readClockOffset(db);
  const ops = (await opsOfPlant(db, plantKey)).filter((op) => !canUndo(op, now));
  const times = await readWaterings(db, plantKey, ops, clockOffset);
  return times.some((time) => time >= since);
}

async function isUnknownPlant(db: DeviceDb, plantKey: string): Promise<boolean> {
  const [row, ops] = await Promise.all([plantRowOf(db, plantKey), opsOfPlant(db, plantKey)]);
  return row === undefined && ops.length === 0;
}

async function canUndoWatering(db: DeviceDb, plantKey: string, now: number): Promise<boolean> {
  const ops = await opsOfPlant(db, plantKey);
  return ops.some((op) => op.type === 'water' && canUndo(op, now));
}
