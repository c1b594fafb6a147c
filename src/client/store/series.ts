import { type RangeName, ranges } from '#domain/reading/ranges.ts';
import { plantRowOf, serverIdOf } from './ids.ts';
import { type LiveStore, liveStore } from './live-store.ts';
import type { DeviceDb, SeriesRow } from './schema.ts';

/** The row of a plant's series in a range, live; null when there is none. */
export function watchSeries(
  db: DeviceDb,
  plantKey: string,
  range: RangeName,
): LiveStore<SeriesRow | null> {
  return liveStore(db, () =>
    db.transaction('r', db.series, db.idmap, async () => {
      const plantId = await serverIdOf(db, plantKey);
      return (await db.series.get([plantId, range])) ?? null;
    }),
  );
}

/** The plant's last watering that the server has confirmed (ISO 8601 UTC), live; null if there is none. */
export function watchLastWatered(db: DeviceDb, plantKey: string): LiveStore<string | null> {
  return liveStore(db, () =>
    db.transaction('r', db.plants, db.idmap, () => readLastWatered(db, plantKey)),
  );
}

/** Like watchLastWatered, once. A surrounding transaction must include idmap and plants. */
export async function readLastWatered(db: DeviceDb, plantKey: string): Promise<string | null> {
  return (await plantRowOf(db, plantKey))?.record.last_watered ?? null;
}

/**
 * Makes sync fetch the series of a plant in a range; called when a screen shows it. `by`: while the stored series is
 * recent and the plant was not watered after its request, a request by a screen is ignored, but a request by the person
 * is not. `now`: device's clock, ms.
 */
export async function requestSeries(
  db: DeviceDb,
  plantKey: string,
  range: RangeName,
  { by, now }: { by: 'screen' | 'person'; now: number },
): Promise<void> {
  await db.transaction('rw', db.series, db.idmap, db.plants, async () => {
    const plantId = await serverIdOf(db, plantKey);
    const known = await db.series.get([plantId, range]);
    if (by === 'screen' && known && isRecent(known, now)) {
      const lastWatered = await readLastWatered(db, plantKey);
      if ((known.lastWatered ?? null) === lastWatered) return;
    }
    const none = { plantId, range, series: null, fetchedAt: null };
    await db.series.put({ ...none, ...known, isWanted: 1, hasFailed: false });
  });
}

/** False for a time in the future too, since the device's clock may have been corrected. */
function isRecent({ range, fetchedAt }: SeriesRow, now: number): boolean {
  return fetchedAt !== null && fetchedAt <= now && now - fetchedAt < ranges[range].freshMs;
}

/** The series that screens have requested. */
export function readWantedSeries(db: DeviceDb): Promise<SeriesRow[]> {
  return db.series.where('isWanted').equals(1).toArray();
}
