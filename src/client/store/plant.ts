import { type Watched, watch } from './live-query.ts';
import { type FoldedPlant, fold } from './outbox/apply-pending-ops.ts';
import { opsOfPlant } from './outbox/enqueue.ts';
import type { DeviceDb } from './schema.ts';

/** One plant by its local or its server id; null when there is none (any more). */
export function watchPlant(db: DeviceDb, id: string): Watched<FoldedPlant | null> {
  return watch(db, () =>
    db.transaction('r', db.plants, db.outbox, db.idmap, async () => {
      const serverId = (await db.idmap.get(id))?.serverId ?? id;
      const [row, ops, idmap] = await Promise.all([
        db.plants.get(serverId),
        opsOfPlant(db, serverId),
        db.idmap.where('serverId').equals(serverId).toArray(),
      ]);
      return fold(row ? [row] : [], ops, idmap)[0] ?? null;
    }),
  );
}
