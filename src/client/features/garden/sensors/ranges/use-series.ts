import { useObservable } from 'dexie-react-hooks';
import { useEffect } from 'react';
import { useDb } from '#client/session/current.tsx';
import { requestSeries, watchSeries } from '#client/store/series.ts';
import { watchConnectivity } from '#client/store/sync-status.ts';
import type { BucketSeries } from '#domain/reading/bucket-series.ts';
import type { RangeName } from '#domain/reading/ranges.ts';

export type SeriesState =
  | { type: 'loading' }
  | { type: 'failed' }
  /** Not on this device, and the server cannot be reached. */
  | { type: 'offline' }
  /** `isBehind`: the last attempt to update it failed, or the server cannot be reached. */
  | { type: 'known'; series: BucketSeries; fetchedAt: number; isBehind: boolean };

/**
 * The stored series of a plant in a range, and a retry for when it could not be fetched. `readingsRev` changes with the
 * plant's readings. The series is then requested again, because new readings may belong to the range.
 */
export function useSeries(
  plantKey: string,
  range: RangeName,
  readingsRev: number,
): [state: SeriesState, retry: () => void] {
  const db = useDb();
  const row = useObservable(() => watchSeries(db, plantKey, range), [db, plantKey, range]);
  const connectivity = useObservable(() => watchConnectivity(db), [db]);
  // Requests the series from sync, again after new readings, because they may belong to the range.
  // biome-ignore lint/correctness/useExhaustiveDependencies: readingsRev is the reason to request it again
  useEffect(() => request('screen'), [db, plantKey, range, readingsRev]);
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
