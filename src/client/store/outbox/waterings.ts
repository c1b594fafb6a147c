import { plantRowOf } from '../ids.ts';
import { type LiveStore, liveStore } from '../live-store.ts';
import type { DeviceDb } from '../schema.ts';
import { enqueue } from './enqueue.ts';
import { isRejected, newOp, newOpId } from './op.ts';
import { opsOfPlant } from './queue.ts';

/**
 * Records that the person watered a plant at `now` (ms, device's clock). Done when it is kept on the device; sync
 * brings it to the server once. A second tap within ten minutes of an unsent one is the same watering.
 * Answers the id to wait for its outcome with.
 */
export function addWatering(db: DeviceDb, plantKey: string, now: number): Promise<string> {
  return enqueue(db, newOp({ opId: newOpId(), entity: plantKey, type: 'water', occurredAt: now }));
}

/** Every watering of a plant that this device knows of (ms, newest last): the server's last one and the waiting ones. */
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
