import { useObservable } from 'dexie-react-hooks';
import { useEffect, useMemo, useState } from 'react';
import { useDb } from '#client/session/current.tsx';
import { gardenAtStart } from '#client/session/kept-garden.ts';
import type { PlantWithPending } from '#client/store/outbox/apply-pending-ops.ts';
import { watchPlant, watchPlants } from '#client/store/plants.ts';
import { countPlants, type GardenCounts } from '#domain/plant/filter.ts';
import { autoWateringNote } from '#domain/watering/reasons.ts';
import { type PlantView, toPlantView, wholeHour } from './plant-view.ts';
import { useFirstLoad } from './use-first-load.ts';
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

/** What the plant's dialog shows beyond the view. */
export interface PlantDetails extends PlantView {
  /** Null for a plant without a device of its own. */
  deviceId: string | null;
  /** Why automatic watering did not water, in words; null when there is nothing to say. */
  wateringNote: string | null;
}

/** One plant by its local or its server id; null when there is none, undefined until the database has answered. */
export function usePlant(id: string, now: number): PlantDetails | null | undefined {
  const db = useDb();
  const atStart = gardenAtStart(db.name)?.plants.find(hasId(id));
  const plant = useObservable(() => watchPlant(db, id), [db, id], atStart);
  const hour = wholeHour(now);
  const wateringNote = plant ? autoWateringNote(plant.record, now) : null;
  return useMemo(() => {
    if (!plant) return plant;
    const deviceId = plant.record.device_id || null;
    return { ...toPlantView(plant, hour), deviceId, wateringNote };
  }, [plant, hour, wateringNote]);
}

/**
 * The plant of an id (local or the server's) as it was at first, null until it is known. A form or a question keeps
 * this snapshot, so that later changes of the plant do not disturb the person. Calls `onMissing` when there is no such
 * plant.
 */
export function usePlantSnapshot(
  id: string,
  onMissing: (id: string) => void,
): PlantWithPending | null {
  const db = useDb();
  const load = useFirstLoad();
  const plants = useObservable(() => watchPlants(db), [db]);
  const found = plants?.find(hasId(id));
  const [snapshot, setSnapshot] = useState(found);
  if (!snapshot && found) setSnapshot(found);
  const isMissing = !snapshot && !found && plants !== undefined && load !== 'loading';
  // Opening another dialog navigates, which must not happen while rendering.
  useEffect(() => {
    if (isMissing) onMissing(id);
  }, [isMissing, onMissing, id]);
  return snapshot ?? null;
}

/** Whether a plant has this id, its local or its server's. */
function hasId(id: string): (plant: PlantWithPending) => boolean {
  return ({ key, record }) => key === id || String(record.id) === id;
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
