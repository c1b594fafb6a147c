import { liveQuery, type Observable } from 'dexie';
import type { LatestFields } from '#domain/plant/plant.ts';
import { mergeReadings, type ReadingArrays } from '#domain/reading/reading-arrays.ts';
import { serverIdOf } from './ids.ts';
import { type LiveStore, select, sharedLiveStore } from './live-store.ts';
import type { DeviceDb, LatestRow } from './schema.ts';

/**
 * The newest values of one plant, live; undefined while none are stored. A plant that never reported has a row of
 * nulls.
 */
export function watchLatest(db: DeviceDb, plantKey: string): LiveStore<LatestRow | undefined> {
  return select(
    watchAllLatest(db),
    (rows) => rows.get(plantKey),
    (one, other) => one?.rev === other?.rev,
  );
}

/** One query for all plants of a screen. */
const watchAllLatest = sharedLiveStore(readAllLatest);

/** The rows by server id, and also by local id for plants made on this device. */
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

/** The stored sensor data of a plant. */
export interface PlantReadings {
  latest: LatestFields;
  stored: ReadingArrays;
  /** When the latest values were stored (device's clock, ms); null if that is unknown. */
  latestStoredAt: number | null;
  /** Changes whenever the values or the readings change. */
  rev: number;
}

/**
 * The stored readings of one plant, live; undefined while its latest values are not stored. Errors go to the
 * subscriber.
 */
export function watchReadings(
  db: DeviceDb,
  plantKey: string,
): Observable<PlantReadings | undefined> {
  return liveQuery(() => readReadings(db, plantKey));
}

function readReadings(db: DeviceDb, plantKey: string): Promise<PlantReadings | undefined> {
  return db.transaction('r', db.latest, db.readings, db.idmap, async () => {
    const plantId = await serverIdOf(db, plantKey);
    const [newest, row] = await Promise.all([db.latest.get(plantId), db.readings.get(plantId)]);
    if (!newest) return undefined;
    return {
      latest: newest.values,
      stored: row?.series ?? mergeReadings(undefined, []),
      latestStoredAt: newest.storedAt ?? null,
      rev: newest.rev,
    };
  });
}

/** Makes sync pull this plant's readings before those of other plants; called when a screen shows its readings. */
export async function prioritizePlant(db: DeviceDb, plantKey: string): Promise<void> {
  await db.syncState.put({ id: 'look', plantKey });
}

/** The server's id of the plant whose readings were opened last; null when none were. */
export async function readPriorityPlant(db: DeviceDb): Promise<string | null> {
  return db.transaction('r', db.syncState, db.idmap, async () => {
    const row = await db.syncState.get('look');
    if (row?.id !== 'look') return null;
    return serverIdOf(db, row.plantKey);
  });
}
