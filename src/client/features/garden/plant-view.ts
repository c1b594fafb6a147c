import type { PlantWithPending } from '#client/store/outbox/apply-pending-ops.ts';
import type { Op } from '#client/store/outbox/op.ts';
import { type Plant, toPlant } from '#domain/plant/plant.ts';
import { hourMs } from '#domain/time.ts';

/** A plant as the screens show it, with the state of its unsent changes. */
export interface PlantView {
  plant: Plant;
  /** A change of it is not on the server yet. */
  isWaiting: boolean;
  /** The server refused a text that is shown here. */
  isRefused: boolean;
  /** The watering that is the plant's next op to be sent; null when another op is, or none. */
  watering: Op | null;
}

/** Ages count in days, so that time alone changes a view once an hour at most. */
export function wholeHour(now: number): number {
  return Math.floor(now / hourMs) * hourMs;
}

export function toPlantView(
  { record, key, waiting, rejected }: PlantWithPending,
  now: number,
): PlantView {
  return {
    plant: { ...toPlant(record, now), id: key },
    isWaiting: waiting.length > 0,
    isRefused: rejected.some(isShown),
    watering: nextWatering(waiting, rejected),
  };
}

/** Behind another op, or behind a refused create, a watering is not sent soon. */
function nextWatering([next]: readonly Op[], rejected: readonly Op[]): Op | null {
  const isBlocked = rejected.some(({ type }) => type === 'create');
  return next?.type === 'water' && !isBlocked ? next : null;
}

/** A refused watering or deletion is not shown, so it needs no mark. */
function isShown({ type }: Op): boolean {
  return type === 'create' || type === 'update';
}
