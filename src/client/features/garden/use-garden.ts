import { useObservable } from 'dexie-react-hooks';
import { startTransition, useEffect, useMemo, useState } from 'react';
import { useDb, useZone } from '#client/session/current.tsx';
import { snapshotAtStart } from '#client/session/garden-snapshot.ts';
import type { LiveStore } from '#client/store/live-store.ts';
import type { PlantWithPending } from '#client/store/outbox/apply-pending-ops.ts';
import { watchPlant, watchPlants } from '#client/store/plants.ts';
import { requestRound, watchSyncStatus } from '#client/store/sync-status.ts';
import { countPlants, type GardenCounts } from '#domain/plant/filter.ts';
import { autoWateringNote } from '#domain/watering/reasons.ts';
import { useStorageProblem } from '../changes/status/device-storage.ts';
import { type PlantView, toPlantView, wholeHour } from './plant-view.ts';

/** The plants of an account as the screens show them, oldest first. */
export interface Garden {
  plants: PlantView[];
  /** Counts of all plants, even while only the first plants are known. */
  counts: GardenCounts;
  /** False while only the first plants are known. */
  isComplete: boolean;
}

/**
 * Every plant with its pending changes. Until the device's database has been read, the first plants from the garden
 * snapshot; undefined if there is no snapshot.
 */
export function useGarden(now: number): Garden | undefined {
  const db = useDb();
  const zone = useZone();
  const [atStart] = useState(() => snapshotAtStart(db.name));
  const [viewOf] = useState(createViewCache);
  const fromDb = useObservable(() => withTransition(watchPlants(db), isFirstList), [db]);
  return useMemo(() => {
    const known = fromDb ?? atStart?.plants;
    if (!known) return undefined;
    const plants = known.map((plant) => viewOf(plant, now));
    const isComplete = fromDb !== undefined || atStart?.counts.stats.total === plants.length;
    if (!isComplete && atStart) return { plants, counts: atStart.counts, isComplete };
    const shown = plants.map(({ plant }) => plant);
    return { plants, counts: countPlants(shown, now, zone), isComplete };
  }, [fromDb, atStart, viewOf, now, zone]);
}

/** The view of a plant, with more data for its dialog. */
export interface PlantDetails extends PlantView {
  /** Null for a plant without a device of its own. */
  deviceId: string | null;
  /** Why automatic watering did not water, in words; null when there is nothing to say. */
  wateringNote: string | null;
}

/**
 * One plant by its local or its server id; null when there is none. Until the database has been read, the plant from
 * the garden snapshot; undefined if the snapshot lacks it.
 */
export function usePlant(id: string, now: number): PlantDetails | null | undefined {
  const db = useDb();
  const atStart = snapshotAtStart(db.name)?.plants.find(hasId(id));
  const plant = useObservable(() => watchPlant(db, id), [db, id], atStart);
  const hour = wholeHour(now);
  // A pending edit may turn it off, and the record keeps the server's last reason until the edit is confirmed.
  const isOn = plant?.record.auto_watering_enabled;
  const wateringNote = isOn ? autoWateringNote(plant.record, now) : null;
  return useMemo(() => {
    if (!plant) return plant;
    const deviceId = plant.record.device_id || null;
    return { ...toPlantView(plant, hour), deviceId, wateringNote };
  }, [plant, hour, wateringNote]);
}

/**
 * The plant with this id (local or the server's) as it was when it was first read; null until then. Forms and the
 * question before a deletion use it, so that later changes of the plant do not change them while they are open. Calls
 * `onMissing` if there is no such plant once the first load has ended.
 */
export function useInitialPlant(
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
  // `onMissing` may navigate to another dialog, which must not happen while rendering.
  useEffect(() => {
    if (isMissing) onMissing(id);
  }, [isMissing, onMissing, id]);
  return snapshot ?? null;
}

/** Whether this is the local or the server id of a plant. */
function hasId(id: string): (plant: PlantWithPending) => boolean {
  return ({ key, record }) => key === id || String(record.id) === id;
}

/**
 * Returns the same view object until the plant or the hour changes. So a change of one plant renders only its own card
 * again.
 */
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

/** Whether no plants were listed before. Only the first list renders hundreds of cards and needs a transition. */
function isFirstList(_: PlantWithPending[], before: PlantWithPending[] | undefined): boolean {
  return !before || before.length === 0;
}

/** The state of this account's first pull on this device. A database that cannot be read counts as failed. */
export function useFirstLoad(): 'loading' | 'failed' | 'done' {
  const db = useDb();
  // Deferred like the list of plants, so that the empty state never flashes before it.
  const status = useObservable(() => withTransition(watchSyncStatus(db)), [db]);
  const problem = useStorageProblem();
  if (!status) return problem === 'broken' || problem === 'denied' ? 'failed' : 'loading';
  if (status.pulledAt !== null) return 'done';
  return status.pullError === null ? 'loading' : 'failed';
}

/**
 * `retry` requests the first load again. If this request cannot be written to the database, the page reloads.
 * `isRetrying`: the request has no result yet.
 */
export function useRetryLoad(): [retry: () => void, isRetrying: boolean] {
  const db = useDb();
  const status = useObservable(() => watchSyncStatus(db), [db]);
  const failedAt = status?.pullFailedAt ?? null;
  const [retried, setRetried] = useState<{ failedAt: number | null } | null>(null);
  const retry = () => {
    setRetried({ failedAt });
    requestRound(db).catch(() => window.location.reload());
  };
  return [retry, retried?.failedAt === failedAt];
}

/** Delivers large updates in a React transition, so that input stays responsive while they render. */
function withTransition<T>(
  source: LiveStore<T>,
  isLarge: (value: T, before: T | undefined) => boolean = () => true,
): LiveStore<T> {
  const subscribe: LiveStore<T>['subscribe'] = (next) => {
    let before: T | undefined;
    return source.subscribe((value) => {
      if (isLarge(value, before)) startTransition(() => next(value));
      else next(value);
      before = value;
    });
  };
  return { ...source, subscribe };
}
