import { isSameDay } from '../dates.ts';
import { isDue } from '../watering/schedule.ts';
import type { TimeZone } from '../zone.ts';
import { needsAttention } from './health.ts';
import type { Plant } from './plant.ts';

export const plantFilters = [
  'All',
  'Needs Water',
  'Needs Attention',
  'Auto-Watering',
  'Indoor',
  'Outdoor',
] as const;
export type PlantFilter = (typeof plantFilters)[number];

/** Whether a plant matches a filter at `now` in ms (spec section 4, Filters and dashboard stats). */
export function matchesFilter(plant: Plant, filter: PlantFilter, now: number): boolean {
  switch (filter) {
    case 'All':
      return true;
    case 'Needs Water':
      return isDue(plant.tracking.nextWateringDate, now);
    case 'Needs Attention':
      return needsAttention(plant.iotIntegration.healthStatus);
    case 'Auto-Watering':
      return plant.iotIntegration.autoWateringEnabled;
    case 'Indoor':
    case 'Outdoor':
      return plant.category === filter;
  }
}

/** Case-insensitive search in nickname, actualName and species (spec section 2, Plant grid). */
export function matchesSearch(plant: Plant, text: string): boolean {
  const wanted = text.trim().toLowerCase();
  return [plant.nickname, plant.actualName, plant.species].some((name) =>
    name.toLowerCase().includes(wanted),
  );
}

export interface PlantStats {
  total: number;
  needsWater: number;
  needsAttention: number;
  autoWateredToday: number;
}

/** The dashboard's four tiles at `now` in ms (spec section 4). `zone` determines which day is today. */
export function plantStats(plants: readonly Plant[], now: number, zone: TimeZone): PlantStats {
  const count = (test: (plant: Plant) => boolean) => plants.filter(test).length;
  return {
    total: plants.length,
    needsWater: count((plant) => matchesFilter(plant, 'Needs Water', now)),
    needsAttention: count((plant) => matchesFilter(plant, 'Needs Attention', now)),
    autoWateredToday: count((plant) => wasAutoWateredToday(plant, now, zone)),
  };
}

/** How many plants of a garden belong to each tile and each filter. */
export interface GardenCounts {
  stats: PlantStats;
  byFilter: Record<PlantFilter, number>;
}

/** Counts all plants of a garden at `now` (ms). `zone` determines which day is today. */
export function countPlants(plants: readonly Plant[], now: number, zone: TimeZone): GardenCounts {
  const byFilter: Partial<Record<PlantFilter, number>> = {};
  for (const name of plantFilters) {
    byFilter[name] = plants.filter((plant) => matchesFilter(plant, name, now)).length;
  }
  return {
    stats: plantStats(plants, now, zone),
    byFilter: byFilter as Record<PlantFilter, number>,
  };
}

function wasAutoWateredToday(plant: Plant, now: number, zone: TimeZone): boolean {
  const { autoWateringEnabled, lastWatered } = plant.iotIntegration;
  return (
    autoWateringEnabled && lastWatered !== null && isSameDay(Date.parse(lastWatered), now, zone)
  );
}
