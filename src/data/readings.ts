import { liveQuery, type Observable } from 'dexie';
import type { LatestFields } from '#domain/plant.ts';
import type { DeviceDb, ReadingsRow } from './db.ts';

/** The latest values of one plant; undefined when none ever came. */
export function watchLatestReading(
  db: DeviceDb,
  plantKey: string,
): Observable<LatestFields | undefined> {
  return liveQuery(async () => (await readRow(db, plantKey))?.latest);
}

/** All that is kept of one plant's readings; undefined when none ever came. */
export function watchReadings(db: DeviceDb, plantKey: string): Observable<ReadingsRow | undefined> {
  return liveQuery(() => readRow(db, plantKey));
}

function readRow(db: DeviceDb, plantKey: string): Promise<ReadingsRow | undefined> {
  return db.transaction('r', db.readings, db.idmap, async () => {
    const mapped = await db.idmap.get(plantKey);
    return db.readings.get(mapped?.serverId ?? plantKey);
  });
}
