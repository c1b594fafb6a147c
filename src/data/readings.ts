import { liveQuery, type Observable } from 'dexie';
import type { LatestFields } from '#domain/plant.ts';
import type { DeviceDb } from './db.ts';

/** The latest values of one plant; undefined when none ever came. */
export function watchLatestReading(
  db: DeviceDb,
  plantKey: string,
): Observable<LatestFields | undefined> {
  return liveQuery(() =>
    db.transaction('r', db.readings, db.idmap, async () => {
      const mapped = await db.idmap.get(plantKey);
      const row = await db.readings.get(mapped?.serverId ?? plantKey);
      return row?.latest;
    }),
  );
}
