import type { PlantView } from '#client/features/garden/plant-view.ts';
import { type PlantRecord, toPlant } from '#domain/plant/plant.ts';
import { plantRecord } from '../../../../support/device/device-rows.ts';

export const now = Date.parse('2026-11-20T08:00:00Z');

/** A plant without unsent changes, as the screens show it. */
export function plantView(changes: Partial<PlantRecord> = {}): PlantView {
  const plant = toPlant(plantRecord(changes), now);
  return { plant, isWaiting: false, isRejected: false, wateringOp: null };
}
