import { useEffect, useState } from 'react';
import { useDb } from '#client/session/current.tsx';
import { type PlantReadings, prioritizePlant, watchReadings } from '#client/store/readings.ts';
import { requestSync } from '#client/store/sync-status.ts';

export type Readings =
  | { is: 'loading' | 'failed' }
  /** `value` stays the same object until the readings really change. */
  | { is: 'known'; value: PlantReadings | null };

/** A plant's readings as they come, and how to ask again after a failure. */
export function useReadings(plantKey: string): [readings: Readings, retry: () => void] {
  const db = useDb();
  const [watched, setWatched] = useState(() => watchReadings(db, plantKey));
  const [readings, setReadings] = useState<Readings>({ is: 'loading' });
  // What is opened is what sync is to hurry with.
  useEffect(() => {
    void prioritizePlant(db, plantKey).catch(() => null);
  }, [db, plantKey]);
  useEffect(() => {
    const subscription = watched.subscribe({
      next: (value) => setReadings((known) => nextReadings(known, value ?? null)),
      error: (error) => {
        console.warn('The readings could not be read:', error);
        setReadings({ is: 'failed' });
      },
    });
    return () => subscription.unsubscribe();
  }, [watched]);
  function retry(): void {
    setReadings({ is: 'loading' });
    setWatched(watchReadings(db, plantKey));
    void requestSync(db);
  }
  return [readings, retry];
}

function nextReadings(known: Readings, value: PlantReadings | null): Readings {
  return known.is === 'known' && known.value?.rev === value?.rev ? known : { is: 'known', value };
}
