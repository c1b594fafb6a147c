import { useObservable } from 'dexie-react-hooks';
import type { FoldedPlant } from '#data/fold.ts';
import { watchPlants } from '#data/plants.ts';
import { useDb } from '#session/current.tsx';
import { useFirstLoad } from './use-first-load.ts';

/** One plant with its raw record, by either of its ids; null when there is none, undefined until that is known. */
export function useFoldedPlant(id: string): FoldedPlant | null | undefined {
  const db = useDb();
  const load = useFirstLoad();
  const plants = useObservable(() => watchPlants(db), [db]);
  const found = plants?.find(({ key, record }) => key === id || String(record.id) === id);
  return found ?? (plants && load !== 'loading' ? null : undefined);
}
