import { useObservable } from 'dexie-react-hooks';
import { useState } from 'react';
import { useDb } from '#client/session/current.tsx';
import { gardenAtStart } from '#client/session/kept-garden.ts';
import type { PlantWithPending } from '#client/store/outbox/apply-pending-ops.ts';
import { watchPlants } from '#client/store/plants.ts';
import { countPlants, type GardenCounts } from '#domain/plant/filter.ts';
import { type PlantView, toPlantView, wholeHour } from './plant-view.ts';
import { withTransition } from './with-transition.ts';

/** The plants of an account as the screens show them, oldest first. */
export interface Garden {
  plants: PlantView[];
  /** Of the whole garden, even while only its first plants are known. */
  counts: GardenCounts;
  /** False while only the first plants are known. */
  isWhole: boolean;
}

/**
 * Every plant with its pending changes. Until the device's database has answered: the first plants as they were last
 * shown, or undefined when none were kept.
 */
export function useGarden(now: number): Garden | undefined {
  const db = useDb();
  const [atStart] = useState(() => gardenAtStart(db.name));
  const [viewOf] = useState(createViewCache);
  const fromDb = useObservable(() => withTransition(watchPlants(db), isFirstList), [db]);
  const known = fromDb ?? atStart?.plants;
  if (!known) return undefined;
  const plants = known.map((plant) => viewOf(plant, now));
  const isWhole = fromDb !== undefined || atStart?.counts.stats.total === plants.length;
  if (!isWhole && atStart) return { plants, counts: atStart.counts, isWhole };
  const views = plants.map(({ plant }) => plant);
  return { plants, counts: countPlants(views, now), isWhole };
}

/** Keeps a plant's view the same object until what it shows changes, so that one change renders one card again. */
function createViewCache(): (plant: PlantWithPending, now: number) => PlantView {
  const cache = new Map<string, { stamp: string; view: PlantView }>();
  return (plant, now) => {
    const stamp = `${plant.stamp}|${wholeHour(now)}`;
    const cached = cache.get(plant.key);
    if (cached?.stamp === stamp) return cached.view;
    const view = toPlantView(plant, now);
    cache.set(plant.key, { stamp, view });
    return view;
  };
}

/** Only a list's first appearance renders hundreds of cards; a later change shows at once. */
function isFirstList(_: PlantWithPending[], before: PlantWithPending[] | undefined): boolean {
  return !before || before.length === 0;
}
