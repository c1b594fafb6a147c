import { useObservable } from 'dexie-react-hooks';
import { useMemo } from 'react';
import { useDb } from '#client/session/current.tsx';
import { watchPlant } from '#client/store/plant.ts';
import { type ShownPlant, showPlant, wholeHour } from './shown-plant.ts';

export interface DetailedPlant extends ShownPlant {
  /** Null for a plant without a device of its own. */
  deviceId: string | null;
  /** Why automatic watering did not water, in the server's words. */
  wateringNote: string | null;
}

/** One plant as it stands; null when there is none, undefined until the device's database has answered. */
export function usePlant(id: string, now: number): DetailedPlant | null | undefined {
  const db = useDb();
  const folded = useObservable(() => watchPlant(db, id), [db, id]);
  const hour = wholeHour(now);
  return useMemo(() => {
    if (!folded) return folded;
    const { record } = folded;
    return {
      ...showPlant(folded, hour),
      deviceId: record.device_id || null,
      wateringNote: record.auto_watering_note || null,
    };
  }, [folded, hour]);
}
