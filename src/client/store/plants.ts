import { sharedLiveQuery } from './live-query.ts';
import { applyPendingOps, type PlantWithPending } from './outbox/apply-pending-ops.ts';
import type { DeviceDb } from './schema.ts';

/** Every plant with its pending changes, oldest first; again whenever any of it changes. */
export const watchPlants = sharedLiveQuery(readPlants);

/** One transaction, so that a row and the op that became it are never seen both or neither. */
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
