import { plantRowOf } from '../ids.ts';
import { type LiveStore, liveStore } from '../live-query.ts';
import type { DeviceDb } from '../schema.ts';
import { opsOfPlant } from './enqueue.ts';
import { isRejected } from './op.ts';

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
