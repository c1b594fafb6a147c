import { plantRowOf } from '../ids.ts';
import { type LiveStore, liveStore } from '../live-store.ts';
import type { DeviceDb } from '../schema.ts';
import { enqueue } from './enqueue.ts';
import { isRejected, newOp, newOpId } from './op.ts';
import { opsOfPlant } from './queue.ts';

/**
 * Records that the person watered a plant at `now` (ms, device's clock). Resolves once it is stored on the device, with
 * the op's id for waitForAnswer. A second tap within ten minutes of an unsent watering is merged into it.
 */
export function addWatering(db: DeviceDb, plantKey: string, now: number): Promise<string> {
  return enqueue(db, newOp({ opId: newOpId(), entity: plantKey, type: 'water', occurredAt: now }));
}

/** The known waterings of a plant, live (ms, newest last): the last one on the server and the waiting ones. */
export function watchWaterings(db: DeviceDb, plantKey: string): LiveStore<number[]> {
  return liveStore(db, () =>
    db.transaction('r', db.plants, db.outbox, db.idmap, async () => {
      const row = await plantRowOf(db, plantKey);
      const ops = await opsOfPlant(db, plantKey);
      const waiting = ops.filter((op) => op.type === 'water' && !isRejected(op));
      return [Date.parse(row?.record.last_watered ?? ''), ...waiting.map((op) => op.occurredAt)]
        .filter((moment) => Number.isFinite(moment))
        .sort((a, b) => a - b);
    }),
  );
}
