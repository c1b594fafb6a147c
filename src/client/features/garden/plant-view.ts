import type { PlantWithPending } from '#client/store/outbox/apply-pending-ops.ts';
import type { Op } from '#client/store/outbox/op.ts';
import { type Plant, toPlant } from '#domain/plant/plant.ts';
import { hourMs } from '#domain/time.ts';

/** A plant as the screens show it, with the state of its unsent changes. */
export interface PlantView {
  plant: Plant;
  /** Whether a change of it waits to be sent. */
  isWaiting: boolean;
  /** Whether the server rejected a create or an edit, whose values the view still shows. */
  isRejected: boolean;
  /** The plant's next op to be sent if that is a watering and no rejected create blocks it, else null. */
  wateringOp: Op | null;
}

/**
 * `now` rounded down to the hour. A view needs the time only for the age of the plant, so hourly changes are enough.
 */
export function wholeHour(now: number): number {
  return Math.floor(now / hourMs) * hourMs;
}

export function toPlantView(
  { record, key, waiting, rejected }: PlantWithPending,
  now: number,
): PlantView {
  return {
    plant: toPlant({ ...record, id: key }, now),
    isWaiting: waiting.length > 0,
    isRejected: rejected.some(isShown),
    wateringOp: nextWatering(waiting, rejected),
  };
}

/** A watering that waits for another op, or for a rejected create, is not sent soon. */
function nextWatering([next]: readonly Op[], rejected: readonly Op[]): Op | null {
  const isBlocked = rejected.some(({ type }) => type === 'create');
  return next?.type === 'water' && !isBlocked ? next : null;
}

/** Whether a rejected op gets a mark: only creates and edits do, because the view still shows their values. */
function isShown({ type }: Op): boolean {
  return type === 'create' || type === 'update';
}
