import type { PlantFields } from '#domain/plant/fields.ts';
import { plantRowOf } from '../ids.ts';
import type { DeviceDb } from '../schema.ts';
import { requestSync } from '../sync-status.ts';
import { enqueueIn, fieldsOfRecord } from './enqueue.ts';
import { newOp, newOpId, type Op } from './op.ts';
import { opsOfPlant } from './queue.ts';
import { writeIntent } from './write-intent.ts';

/** What a person decides about a change that cannot go its way alone. Each answers whether there was such a change. */

/**
 * Sends a refused change once more, as it is now best told: the server keeps no refusal, so that its key may stand for
 * other bytes. The count of attempts goes on, for an outcome names the attempt that it answers.
 */
export function retryOp(db: DeviceDb, opId: string): Promise<boolean> {
  return decide(db, opId, (op) => sendAfresh(db, op));
}

/** Gives up a refused change, and with a plant that was never made all that waits for it. */
export function discardOp(db: DeviceDb, opId: string): Promise<boolean> {
  return decide(db, opId, async (op) => {
    const ops = op.type === 'create' ? await opsOfPlant(db, op.entity) : [op];
    await db.outbox.bulkDelete(ops.map(({ seq }) => seq));
  });
}

/** Puts a change's notice away; it stays in the list. */
export async function dismissNotice(db: DeviceDb, opId: string): Promise<void> {
  await db.outbox.where('opId').equals(opId).modify({ isNoticed: true });
}

async function sendAfresh(db: DeviceDb, { seq }: Op): Promise<void> {
  const afresh = { state: 'queued', request: null, nextAt: 0, lastError: null } as const;
  await db.outbox.update(seq, { ...afresh, isNoticed: false });
}

function decide(db: DeviceDb, opId: string, act: (op: Op) => Promise<void>): Promise<boolean> {
  return db.transaction('rw', db.outbox, db.idmap, db.syncState, async () => {
    const op = await db.outbox.where('opId').equals(opId).first();
    if (op?.state !== 'rejected') return false;
    await act(op);
    await requestSync(db);
    return true;
  });
}

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

/** Brings back, as a change made at `now` (ms, device's clock), what this device's value replaced. */
export function undoConflict(db: DeviceDb, id: string, now: number): Promise<void> {
  return writeIntent(db, () =>
    db.transaction('rw', db.plants, db.outbox, db.idmap, db.conflicts, async () => {
      const conflict = await db.conflicts.get(id);
      if (!conflict) return;
      const { entity, mine, theirs } = conflict;
      const fields = { edits: theirs, base: mine };
      await enqueueIn(
        db,
        newOp({ opId: newOpId(), entity, type: 'update', ...fields, occurredAt: now }),
      );
      await db.conflicts.delete(id);
    }),
  );
}

/** The person has seen it and leaves this device's value. */
export function dismissConflict(db: DeviceDb, id: string): Promise<void> {
  return db.conflicts.delete(id);
}
