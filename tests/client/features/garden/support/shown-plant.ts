import type { ShownPlant } from '#client/features/garden/grid/shown-plant.ts';
import { type PlantRecord, toPlant } from '#domain/plant/plant.ts';
import { plantRecord } from '../../../../support/device-rows.ts';

export const now = Date.parse('2026-11-20T08:00:00Z');

/** A plant that nothing is waiting for, as the screens have it. */
export function shownPlant(changes: Partial<PlantRecord> = {}): ShownPlant {
  const plant = toPlant(plantRecord(changes), now);
  return { plant, isWaiting: false, isRefused: false, watering: null };
}
