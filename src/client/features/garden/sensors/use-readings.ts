import { useObservable } from 'dexie-react-hooks';
import { useEffect, useState } from 'react';
import { useDb } from '#client/session/current.tsx';
import { type PlantReadings, prioritizePlant, watchReadings } from '#client/store/readings.ts';
import { requestRound, watchSyncStatus } from '#client/store/sync-status.ts';

export type Readings =
  | { type: 'loading' | 'failed' }
  /** `value` stays the same object until the readings change. */
  | { type: 'known'; value: PlantReadings | null };

/** The readings of a plant that are stored on the device, and a retry for when reading them fails. */
export function useReadings(plantKey: string): [readings: Readings, retry: () => void] {
  const db = useDb();
  const [source, setSource] = useState(() => watchReadings(db, plantKey));
  const [readings, setReadings] = useState<Readings>({ type: 'loading' });
  // Makes sync request this plant's readings before those of other plants.
  useEffect(() => {
    void prioritizePlant(db, plantKey).catch(() => null);
  }, [db, plantKey]);
  useEffect(() => {
    const subscription = source.subscribe({
      next: (value) => setReadings((known) => nextReadings(known, value ?? null)),
      error: (error) => {
        console.warn('The readings could not be read:', error);
        setReadings({ type: 'failed' });
      },
    });
    return () => subscription.unsubscribe();
  }, [source]);
  function retry(): void {
    setReadings({ type: 'loading' });
    setSource(watchReadings(db, plantKey));
    void requestRound(db).catch(() => null);
  }
  return [readings, retry];
}

function nextReadings(known: Readings, value: PlantReadings | null): Readings {
  const isSame = known.type === 'known' && known.value?.rev === value?.rev;
  return isSame ? known : { type: 'known', value };
}

/**
 * Whether a plant's readings may still arrive; false after a failed pull or while the server cannot be reached. A pull
 * stores the latest values first. It sets `pulledAt` after the requests for the readings of all plants, even if some of
 * them failed.
 */
export function useAreReadingsLoading(readings: PlantReadings | null): boolean {
  const db = useDb();
  const status = useObservable(() => watchSyncStatus(db), [db]);
  if (!status) return true;
  const { connectivity, pullError, pulledAt } = status;
  const isCutOff =
    connectivity === 'offline' || connectivity === 'unreachable' || pullError !== null;
  const latestStoredAt = readings?.latestStoredAt ?? null;
  const hasPulledSince =
    pulledAt !== null && (latestStoredAt === null || pulledAt > latestStoredAt);
  return !isCutOff && !hasPulledSince;
}
