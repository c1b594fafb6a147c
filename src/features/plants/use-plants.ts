import { useObservable } from 'dexie-react-hooks';
import { startTransition, useState } from 'react';
import type { FoldedPlant } from '#data/fold.ts';
import { watchPlants } from '#data/plants.ts';
import type { Watched } from '#data/watch.ts';
import { useDb } from '#session/current.tsx';
import { type ShownPlant, showPlant, wholeHour } from './shown-plant.ts';

/** Every plant as it stands; undefined until the device's database has answered. */
export function usePlants(now: number): ShownPlant[] | undefined {
  const db = useDb();
  const [show] = useState(createViews);
  const folded = useObservable(() => firstInSlices(watchPlants(db)), [db]);
  return folded?.map((plant) => show(plant, now));
}

/** The same object for as long as a plant looks the same, so that one change repaints one card. */
function createViews(): (folded: FoldedPlant, now: number) => ShownPlant {
  const kept = new Map<string, { stamp: string; shown: ShownPlant }>();
  return (folded, now) => {
    const stamp = `${folded.stamp}|${wholeHour(now)}`;
    const known = kept.get(folded.key);
    if (known?.stamp === stamp) return known.shown;
    const shown = showPlant(folded, now);
    kept.set(folded.key, { stamp, shown });
    return shown;
  };
}

/** The first plants are drawn in slices, between which the page answers a finger; what befalls them later shows at once. */
function firstInSlices(plants: Watched<FoldedPlant[]>): Watched<FoldedPlant[]> {
  const subscribe: typeof plants.subscribe = (next) => {
    let hasPlants = false;
    return plants.subscribe((now) => {
      if (hasPlants) next(now);
      else startTransition(() => next(now));
      hasPlants = now.length > 0;
    });
  };
  return { ...plants, subscribe };
}
