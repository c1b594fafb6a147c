import { serverIdOf } from './ids.ts';
import { type LiveStore, liveStore, sharedLiveStore } from './live-store.ts';
import { applyPendingOps, type PlantWithPending } from './outbox/apply-pending-ops.ts';
import { opsOfPlant } from './outbox/outbox.ts';
import type { DeviceDb } from './schema.ts';

/** Every plant with its pending changes, oldest first, live. */
export const watchPlants = sharedLiveStore(readPlants);

/** Reads in one transaction, so that a plant whose create is being confirmed is always shown exactly once. */
export function readPlants(db: DeviceDb): Promise<PlantWithPending[]> {
  return db.transaction('r', db.plants, db.outbox, db.idmap, async () => {
    const [rows, ops, idmap] = await Promise.all([
      db.plants.toArray(),
      db.outbox.toArray(),
      db.idmap.toArray(),
    ]);
    return applyPendingOps(rows, ops, idmap).sort(oldestFirst);
  });
}

function oldestFirst(a: PlantWithPending, b: PlantWithPending): number {
  const added = ({ record }: PlantWithPending) => Date.parse(record.date_added ?? '') || 0;
  return added(a) - added(b);
}

/** One plant by its local or its server id, live; null when it does not exist or was deleted. */
export function watchPlant(db: DeviceDb, id: string): LiveStore<PlantWithPending | null> {
  return liveStore(db, () =>
    db.transaction('r', db.plants, db.outbox, db.idmap, async () => {
      const serverId = await serverIdOf(db, id);
      const [row, ops, idmap] = await Promise.all([
        db.plants.get(serverId),
        opsOfPlant(db, serverId),
        db.idmap.where('serverId').equals(serverId).toArray(),
      ]);
      return applyPendingOps(row ? [row] : [], ops, idmap)[0] ?? null;
    }),
  );
}
