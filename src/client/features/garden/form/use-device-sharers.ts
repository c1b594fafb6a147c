import { useObservable } from 'dexie-react-hooks';
import { useDb } from '#client/session/current.tsx';
import { watchPlants } from '#client/store/plants.ts';
import { unnamedPlant } from '#domain/plant/plant.ts';

/** The nicknames of the plants with this device ID, except the plant with the key `own`. Empty without an ID. */
export function useDeviceSharers(own: string | null, deviceId: string): string[] {
  const db = useDb();
  const plants = useObservable(() => watchPlants(db), [db]);
  const id = deviceId.trim();
  if (!plants || id === '') return [];
  const sharers = plants.filter(({ key, record }) => key !== own && record.device_id === id);
  return sharers.map(({ record }) => record.nickname || unnamedPlant);
}
