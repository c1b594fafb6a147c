import type { DeviceDb } from '../schema.ts';
import { writeIntent } from '../write-intent.ts';
import { enqueueIn } from './enqueue.ts';
import { newOp } from './op.ts';
import { newOpId } from './op-id.ts';

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
