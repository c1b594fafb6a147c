import { useObservable } from 'dexie-react-hooks';
import { useState } from 'react';
import { useDb } from '#client/session/current.tsx';
import type { FoldedPlant } from '#client/store/outbox/apply-pending-ops.ts';
import { watchPlants } from '#client/store/plants.ts';
import { inSlices } from './in-slices.ts';
import { type ShownPlant, showPlant, wholeHour } from './shown-plant.ts';

/** Every plant as it stands; undefined until the device's database has answered. */
export function usePlants(now: number): ShownPlant[] | undefined {
  const db = useDb();
  const [show] = useState(createViews);
  const folded = useObservable(() => inSlices(watchPlants(db), areFirst), [db]);
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

/** What befalls a plant that is there shows at once. */
function areFirst(_: FoldedPlant[], before: FoldedPlant[] | undefined): boolean {
  return !before || before.length === 0;
}
