import { useObservable } from 'dexie-react-hooks';
import { useEffect, useState } from 'react';
import { useDb } from '#client/session/current.tsx';
import type { FoldedPlant } from '#client/store/outbox/apply-pending-ops.ts';
import { watchPlants } from '#client/store/plants.ts';
import { useFirstLoad } from './use-first-load.ts';

/**
 * The plant of an id as it was when it was first seen, null until then: what happens to it later takes nothing from
 * who works on it. `onMissing` hears when there is none.
 */
export function usePlantAtFirst(id: string, onMissing: (id: string) => void): FoldedPlant | null {
  const plant = useFoldedPlant(id);
  const [first, setFirst] = useState(plant);
  if (!first && plant) setFirst(plant);
  const isMissing = !first && plant === null;
  // Whoever opened the dialog leads elsewhere, which is no part of rendering.
  useEffect(() => {
    if (isMissing) onMissing(id);
  }, [isMissing, onMissing, id]);
  return first ?? null;
}

/** By either of its ids, with its raw record; null when there is none, undefined until that is known. */
function useFoldedPlant(id: string): FoldedPlant | null | undefined {
  const db = useDb();
  const load = useFirstLoad();
  const plants = useObservable(() => watchPlants(db), [db]);
  const found = plants?.find(({ key, record }) => key === id || String(record.id) === id);
  return found ?? (plants && load !== 'loading' ? null : undefined);
}
