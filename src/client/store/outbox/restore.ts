import type { PlantFields } from '#domain/plant/fields.ts';
import { plantRowOf } from '../ids.ts';
import type { DeviceDb } from '../schema.ts';
import { writeIntent } from '../write-intent.ts';
import { enqueueIn, opsOfPlant } from './enqueue.ts';
import { fieldsOfRecord } from './last-known.ts';
import { newOp, type Op } from './op.ts';
import { newOpId } from './op-id.ts';

/**
 * Makes a plant that was deleted elsewhere anew, at `now` (ms, device's clock): its last known fields with what was
 * edited since, and the waterings that did not get through, each with its own moment. Answers the new plant's key;
 * null when `opId` is no refused change any more.
 */
export function restoreAsNew(db: DeviceDb, opId: string, now: number): Promise<string | null> {
  const created = newOpId();
  const entity = `local-${created}`;
  return writeIntent(db, () =>
    db.transaction('rw', db.plants, db.outbox, db.idmap, async () => {
      const refused = await db.outbox.where('opId').equals(opId).first();
      if (refused?.state !== 'rejected') return null;
      const all = await opsOfPlant(db, refused.entity);
      const ops = all.filter(({ state }) => state !== 'inflight');
      const edits = await fieldsWith(db, refused.entity, ops);
      await db.outbox.bulkDelete(ops.map(({ seq }) => seq));
      await enqueueIn(db, newOp({ opId: created, entity, type: 'create', edits, occurredAt: now }));
      for (const { type, occurredAt } of ops) {
        if (type !== 'water') continue;
        await enqueueIn(db, newOp({ opId: newOpId(), entity, type, occurredAt }));
      }
      return entity;
    }),
  );
}

/** Should a field that must be there not be known, the server says so and the person adds it. */
async function fieldsWith(
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
