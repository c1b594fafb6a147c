import type { FoldedPlant } from '#client/store/outbox/apply-pending-ops.ts';
import type { Op } from '#client/store/outbox/op.ts';
import { hourMs } from '#domain/durations.ts';
import { type Plant, toPlant } from '#domain/plant/plant.ts';

/** A plant for the screens: the view, and how what was done to it stands. */
export interface ShownPlant {
  plant: Plant;
  /** Some change of it still waits to be sent. */
  isWaiting: boolean;
  /** What is shown of it was refused by the server. */
  isRefused: boolean;
  /** The watering that waits, the first if there are several: those behind it wait for it. */
  watering: Op | null;
}

/** As often (ms) as plants are shown anew for time alone: ages count in days. */
export function wholeHour(now: number): number {
  return Math.floor(now / hourMs) * hourMs;
}

export function showPlant({ record, key, waiting, parked }: FoldedPlant, now: number): ShownPlant {
  return {
    plant: { ...toPlant(record, now), id: key },
    isWaiting: waiting.length > 0,
    isRefused: parked.some(isShown),
    watering: waiting.find(({ kind }) => kind === 'water') ?? null,
  };
}

/** A refused watering or deletion is not shown, so it needs no mark. */
function isShown({ kind }: Op): boolean {
  return kind === 'create' || kind === 'update';
}
