import { liveQuery, type Observable } from 'dexie';
import type { DeviceDb } from './db.ts';
import { type FoldedPlant, fold } from './fold.ts';
import { opsOfPlant } from './outbox.ts';

/** Every plant with its pending changes, oldest first; again whenever any of it changes. */
export function watchPlants(db: DeviceDb): Observable<FoldedPlant[]> {
  return liveQuery(() => readPlants(db));
}

/** One plant by its local or its server id; null when there is none (any more). */
export function watchPlant(db: DeviceDb, id: string): Observable<FoldedPlant | null> {
  return liveQuery(() =>
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

/** One transaction, so that a row and the op that became it are never seen both or neither. */
export function readPlants(db: DeviceDb): Promise<FoldedPlant[]> {
  return db.transaction('r', db.plants, db.outbox, db.idmap, async () => {
    const [rows, ops, idmap] = await Promise.all([
      db.plants.toArray(),
      db.outbox.toArray(),
      db.idmap.toArray(),
    ]);
    return fold(rows, ops, idmap).sort(oldestFirst);
  });
}

function oldestFirst(a: FoldedPlant, b: FoldedPlant): number {
  const added = ({ record }: FoldedPlant) => Date.parse(record.date_added ?? '') || 0;
  return added(a) - added(b);
}
