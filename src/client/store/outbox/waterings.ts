import { plantRowOf } from '../ids.ts';
import { applyEntryOps } from '../journal/shown-entries.ts';
import { type LiveStore, liveStore, sharedLiveStore } from '../live-store.ts';
import type { DeviceDb } from '../schema.ts';
import { enqueue, enqueueIn } from './enqueue.ts';
import { canUndo, isUnsent, newOp, newOpId, type Op, undoMs } from './op.ts';
import { opsOfPlant } from './outbox.ts';
import { writeChange } from './write-change.ts';

/**
 * Records that the person watered a plant at `now` (ms, device's clock). Resolves once it is stored on the device, with
 * the op's id for waitForAnswer. Coalesced into the plant's last op if that is an unsent watering within ten minutes.
 */
export function addWatering(db: DeviceDb, plantKey: string, now: number): Promise<string> {
  return enqueue(db, newOp({ opId: newOpId(), entity: plantKey, type: 'water', occurredAt: now }));
}

/**
 * Records a watering of each plant at `now` (ms, device's clock), all or none. Each new op can be undone for ten
 * seconds and is then sent. A plant gets no new op if its last op is an unsent watering within ten minutes. Resolves
 * with the number of new ops.
 */
export function addWaterings(
  db: DeviceDb,
  plantKeys: readonly string[],
  now: number,
): Promise<number> {
  return writeChange(db, () =>
    db.transaction('rw', db.plants, db.outbox, db.idmap, async () => {
      let added = 0;
      for (const entity of plantKeys) {
        const change = { opId: newOpId(), entity, type: 'water', occurredAt: now } as const;
        const { isOwn } = await enqueueIn(db, newOp({ ...change, undoUntil: now + undoMs }));
        if (isOwn) added += 1;
      }
      return added;
    }),
  );
}

/** Removes the waterings that can still be undone at `now` (ms, device's clock), and resolves with their number. */
export function undoWaterings(db: DeviceDb, now: number): Promise<number> {
  return db.outbox.filter((op) => op.type === 'water' && canUndo(op, now)).delete();
}

/** The unsent waterings that have an undo period, live. The period may be over: use `canUndo` to check. */
export const watchUndoableWaterings = sharedLiveStore(
  async (db: DeviceDb): Promise<Op[]> =>
    (await db.outbox.toArray()).filter(
      (op) => op.type === 'water' && op.undoUntil !== undefined && isUnsent(op),
    ),
);

/**
 * The times of a plant's known waterings (ms, oldest first), as a live store: those of its journal, `last_watered` and
 * those in the outbox.
 */
export function watchWaterings(db: DeviceDb, plantKey: string): LiveStore<number[]> {
  return liveStore(db, () =>
    db.transaction('r', db.plants, db.outbox, db.idmap, db.journal, async () => {
      return await readWaterings(db, plantKey, await opsOfPlant(db, plantKey));
    }),
  );
}

/**
 * The known waterings of a plant with its ops `ops` applied (ms, oldest first). Call it in a transaction on plants,
 * idmap and journal. `clockOffset` (ms) is subtracted from the times that the server's clock measured.
 */
export async function readWaterings(
  db: DeviceDb,
  plantKey: string,
  ops: readonly Op[],
  clockOffset = 0,
): Promise<number[]> {
  const row = await plantRowOf(db, plantKey);
  const stored = row ? ((await db.journal.get(row.id))?.entries ?? []) : [];
  const last = Date.parse(row?.record.last_watered ?? '');
  const isStored = stored.some(({ at }) => Date.parse(at) === last);
  const times = applyEntryOps(stored, ops)
    .filter(({ type }) => type === 'watered')
    .map(
      // The time is by the server's clock unless a waiting op sets another one.
      ({ countedAt, serverAt }) =>
        (countedAt ?? Number.NaN) - (countedAt === serverAt ? clockOffset : 0),
    );
  return [...times, ...(isStored ? [] : [last - clockOffset])]
    .filter((time) => Number.isFinite(time))
    .sort((a, b) => a - b);
}
