import { liveQuery, type Observable } from 'dexie';
import type { DeviceDb } from './db.ts';
import { newOp } from './op.ts';
import { newOpId } from './op-id.ts';
import { enqueue, opsOfPlant } from './outbox.ts';

/**
 * Records that the person watered a plant at `now` (ms, device's clock). Done when it is kept on the device; sync
 * brings it to the server once. A second tap within ten minutes of an unsent one is the same watering.
 * Answers the id to wait for its outcome with.
 */
export function addWatering(db: DeviceDb, plantKey: string, now: number): Promise<string> {
  return enqueue(db, newOp({ opId: newOpId(), entity: plantKey, kind: 'water', occurredAt: now }));
}

/** Every watering of a plant that this device knows of (ms, newest last): the server's last one and the waiting ones. */
export function watchWaterings(db: DeviceDb, plantKey: string): Observable<number[]> {
  return liveQuery(() =>
    db.transaction('r', db.plants, db.outbox, db.idmap, async () => {
      const mapped = await db.idmap.get(plantKey);
      const row = await db.plants.get(mapped?.serverId ?? plantKey);
      const ops = await opsOfPlant(db, plantKey);
      const waiting = ops.filter(({ kind, state }) => kind === 'water' && state !== 'parked');
      return [Date.parse(row?.record.last_watered ?? ''), ...waiting.map((op) => op.occurredAt)]
        .filter((moment) => Number.isFinite(moment))
        .sort((a, b) => a - b);
    }),
  );
}
