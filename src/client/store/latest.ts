import { type LiveStore, select, sharedLiveQuery } from './live-query.ts';
import type { DeviceDb, LatestRow } from './schema.ts';

/** The newest values of one plant; undefined when none ever came. */
export function watchLatest(db: DeviceDb, plantKey: string): LiveStore<LatestRow | undefined> {
  return select(
    watchAllLatest(db),
    (rows) => rows.get(plantKey),
    (one, other) => one?.rev === other?.rev,
  );
}

/** One reading for all plants of a screen. */
const watchAllLatest = sharedLiveQuery(readAllLatest);

/** By the id that screens use, local or the server's. */
function readAllLatest(db: DeviceDb): Promise<Map<string, LatestRow>> {
  return db.transaction('r', db.latest, db.idmap, async () => {
    const [rows, idmap] = await Promise.all([db.latest.toArray(), db.idmap.toArray()]);
    const byKey = new Map(rows.map((row) => [row.plantId, row]));
    for (const { localId, serverId } of idmap) {
      const row = byKey.get(serverId);
      if (row) byKey.set(localId, row);
    }
    return byKey;
  });
}
