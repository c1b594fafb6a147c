import { useObservable } from 'dexie-react-hooks';
import { useEffect } from 'react';
import { useDb } from '#client/session/current.tsx';
import { requestSeries, watchLastWatered, watchSeries } from '#client/store/series.ts';
import { watchConnectivity } from '#client/store/sync-status.ts';
import { useNow } from '#client/ui/use-now.ts';
import type { BucketSeries } from '#domain/reading/bucket-series.ts';
import { type RangeName, ranges } from '#domain/reading/ranges.ts';

export type SeriesState =
  | { type: 'loading' }
  | { type: 'failed' }
  /** Not on this device, and the server cannot be reached. */
  | { type: 'offline' }
  /** `isBehind`: the last attempt to update it failed, or the server cannot be reached. */
  | { type: 'known'; series: BucketSeries; fetchedAt: number; isBehind: boolean };

/**
 * The stored series of a plant in a range, and a retry for when it could not be fetched. The series is requested again
 * after a watering, and when it is no longer recent (`freshMs`), because the range ends now. If that request fails, new
 * readings repeat it; those that arrive while the series is recent do not request it. `readingsRev` changes with the
 * plant's readings.
 */
export function useSeries(
  plantKey: string,
  range: RangeName,
  readingsRev: number,
): [state: SeriesState, retry: () => void] {
  const db = useDb();
  const row = useObservable(() => watchSeries(db, plantKey, range), [db, plantKey, range]);
  const connectivity = useObservable(() => watchConnectivity(db), [db]);
  const lastWatered = useObservable(() => watchLastWatered(db, plantKey), [db, plantKey]);
  const now = useNow();
  const isOld = now - (row?.fetchedAt ?? now) >= ranges[range].freshMs;
  // Nothing is requested until both values have been read; otherwise each of them would cause a further request.
  const isRead = row !== undefined && lastWatered !== undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the last three are the reasons to request it again
  useEffect(() => {
    if (isRead) request('screen');
  }, [db, plantKey, range, isRead, readingsRev, lastWatered, isOld]);
  function request(by: 'screen' | 'person'): void {
    requestSeries(db, plantKey, range, { by, now: Date.now() }).catch((error: Error) => {
      console.warn('The series could not be requested:', error.message);
    });
  }
  const isCutOff = connectivity === 'offline' || connectivity === 'unreachable';
  const retry = () => request('person');
  if (row?.series && row.fetchedAt !== null) {
    const { series, fetchedAt, hasFailed } = row;
    return [{ type: 'known', series, fetchedAt, isBehind: hasFailed || isCutOff }, retry];
  }
  if (isCutOff) return [{ type: 'offline' }, retry];
  return [row?.hasFailed ? { type: 'failed' } : { type: 'loading' }, retry];
}
