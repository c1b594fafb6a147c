import { serverIdOf } from './ids.ts';
import { type LiveStore, liveStore } from './live-query.ts';
import { applyPendingOps, type PlantWithPending } from './outbox/apply-pending-ops.ts';
import { opsOfPlant } from './outbox/enqueue.ts';
import type { DeviceDb } from './schema.ts';

/** One plant by its local or its server id; null when there is none (any more). */
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
