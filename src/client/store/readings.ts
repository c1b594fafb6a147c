import { liveQuery, type Observable } from 'dexie';
import type { LatestFields } from '#domain/plant/plant.ts';
import { mergeReadings, type ReadingSeries } from '#domain/reading/series.ts';
import { serverIdOf } from './ids.ts';
import { type LiveStore, select, sharedLiveQuery } from './live-store.ts';
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

/** All that is known of what a plant's sensor told. */
export interface PlantReadings {
  latest: LatestFields;
  series: ReadingSeries;
  /** Another number whenever any of it differs. */
  rev: number;
}

/** All that is kept of one plant's readings; undefined when none ever came. A failure is the watcher's to show. */
export function watchReadings(
  db: DeviceDb,
  plantKey: string,
): Observable<PlantReadings | undefined> {
  return liveQuery(() => readReadings(db, plantKey));
}

function readReadings(db: DeviceDb, plantKey: string): Promise<PlantReadings | undefined> {
  return db.transaction('r', db.latest, db.readings, db.idmap, async () => {
    const plantId = await serverIdOf(db, plantKey);
    const [row, kept] = await Promise.all([db.latest.get(plantId), db.readings.get(plantId)]);
    if (!row) return undefined;
    return {
      latest: row.values,
      series: kept?.series ?? mergeReadings(undefined, []),
      rev: row.rev,
    };
  });
}

/** Somebody looks at a plant's readings: if more are on their way, they come before those of other plants. */
export async function prioritizePlant(db: DeviceDb, plantKey: string): Promise<void> {
  await db.syncState.put({ id: 'look', plantKey });
}

/** The server's id of the plant that somebody looked at last; null when nobody did. */
export async function readPriorityPlant(db: DeviceDb): Promise<string | null> {
  return db.transaction('r', db.syncState, db.idmap, async () => {
    const row = await db.syncState.get('look');
    if (row?.id !== 'look') return null;
    return serverIdOf(db, row.plantKey);
  });
}
