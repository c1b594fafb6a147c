import { liveQuery } from 'dexie';
import { ApiError } from '#client/api/http.ts';
import { fetchSeries } from '#client/api/plants.ts';
import { readClockOffset } from '#client/store/meta.ts';
import { storeInsteadOfPhotos } from '#client/store/outbox/write-change.ts';
import type { DeviceDb, SeriesRow } from '#client/store/schema.ts';
import { readLastWatered, readWantedSeries } from '#client/store/series.ts';
import { ranges } from '#domain/reading/ranges.ts';
import { requestOptions, type SyncContext } from '../context.ts';
import { singleFlight } from './concurrency.ts';

/**
 * Fetches the series that screens of any tab request, as soon as they request them. Does not wait for the next round,
 * because the chart may be empty until its series arrives. `onUnauthorized` is called after a 401. `stop`: new requests
 * start no more runs; a run in progress continues unless the signal aborts. `retryNow`: requests again what is still
 * wanted.
 */
export function fetchWantedSeries(
  context: SyncContext,
  onUnauthorized: () => void,
): { stop: () => void; retryNow: () => void } {
  const run = singleFlight(context.signal, 'A series could not be stored:', async () => {
    if ((await fetchAllWanted(context)) === 'unauthorized') onUnauthorized();
  });
  // Not a live store: it calls its subscribers inside its live query, where Dexie allows no writes.
  const wanted = liveQuery(() => countUntried(context.db)).subscribe({
    next: (count) => count > 0 && run(),
    error: (error) => console.error('Wanted series cannot be read:', error),
  });
  return { stop: () => wanted.unsubscribe(), retryNow: run };
}

/** Number of wanted series whose request has not failed. */
async function countUntried(db: DeviceDb): Promise<number> {
  return (await readWantedSeries(db)).filter(({ hasFailed }) => !hasFailed).length;
}

/**
 * Fetches the wanted series one after another. Stops at a request that got no response, or a 401, 425 or 429; its
 * series stays wanted.
 */
export async function fetchAllWanted(context: SyncContext): Promise<'done' | 'unauthorized'> {
  for (const row of await readWantedSeries(context.db)) {
    const result = await fetchOne(context, row);
    if (result === 'unauthorized') return 'unauthorized';
    if (result === 'later') return 'done';
  }
  return 'done';
}

async function fetchOne(
  context: SyncContext,
  { plantId, range }: SeriesRow,
): Promise<'stored' | 'failed' | 'later' | 'unauthorized'> {
  const { db, now, signal } = context;
  const to = now() + (await readClockOffset(db));
  const query = { from: isoOf(to - ranges[range].lengthMs), to: isoOf(to) };
  // Read before the request: a watering that is confirmed meanwhile may be missing in the response.
  const lastWatered = await db.transaction('r', db.plants, db.idmap, () =>
    readLastWatered(db, plantId),
  );
  try {
    const series = await fetchSeries(plantId, query, requestOptions(context));
    const fetched = { series, fetchedAt: now(), lastWatered, hasFailed: false };
    const change = { ...fetched, isWanted: 0 } as const;
    await storeInsteadOfPhotos(db, () => update(context, { plantId, range }, change));
    return 'stored';
  } catch (error) {
    if (signal.aborted) throw error;
    const isResult = error instanceof ApiError;
    if (isResult && error.status === 401) return 'unauthorized';
    // A series that cannot be stored would be fetched again after every pull.
    if (!isResult) console.error('A series cannot be stored:', error);
    const isRepeated = isResult && (error.status === null || error.isPause);
    const change = { hasFailed: true, isWanted: isRepeated ? 1 : 0 } as const;
    await update(context, { plantId, range }, change);
    return isRepeated ? 'later' : 'failed';
  }
}

/** Updates a row, except that of a plant that was deleted meanwhile. */
async function update(
  { db, signal }: SyncContext,
  { plantId, range }: Pick<SeriesRow, 'plantId' | 'range'>,
  change: Partial<SeriesRow>,
): Promise<void> {
  await db.transaction('rw', db.series, async () => {
    signal.throwIfAborted();
    await db.series.update([plantId, range], change);
  });
}

function isoOf(time: number): string {
  return new Date(time).toISOString();
}
