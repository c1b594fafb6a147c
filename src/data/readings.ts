import { liveQuery, type Observable } from 'dexie';
import type { LatestFields } from '#domain/plant.ts';
import type { DeviceDb, ReadingsRow } from './db.ts';
import { type Watched, watch } from './watch.ts';

/** The latest values of one plant; undefined when none ever came. */
export function watchLatestReading(
  db: DeviceDb,
  plantKey: string,
): Watched<LatestFields | undefined> {
  return watch(db, async () => (await readRow(db, plantKey))?.latest);
}

/** All that is kept of one plant's readings; undefined when none ever came. A failure is the watcher's to show. */
export function watchReadings(db: DeviceDb, plantKey: string): Observable<ReadingsRow | undefined> {
  return liveQuery(() => readRow(db, plantKey));
}

/** Somebody looks at a plant's readings: if more are on their way, they come before those of other plants. */
export async function lookAtReadings(db: DeviceDb, plantKey: string): Promise<void> {
  await db.syncState.put({ id: 'look', plantKey });
}

/** The server's id of the plant that somebody looked at last; null when nobody did. */
export async function readLookedAt(db: DeviceDb): Promise<string | null> {
  return db.transaction('r', db.syncState, db.idmap, async () => {
    const row = await db.syncState.get('look');
    if (row?.id !== 'look') return null;
    return (await db.idmap.get(row.plantKey))?.serverId ?? row.plantKey;
  });
}

function readRow(db: DeviceDb, plantKey: string): Promise<ReadingsRow | undefined> {
  return db.transaction('r', db.readings, db.idmap, async () => {
    const mapped = await db.idmap.get(plantKey);
    return db.readings.get(mapped?.serverId ?? plantKey);
  });
}
