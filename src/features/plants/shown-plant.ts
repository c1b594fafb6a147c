import type { FoldedPlant } from '#data/fold.ts';
import { type Plant, toPlant } from '#domain/plant.ts';

/** A plant for the screens: the view, and how what was done to it stands. */
export interface ShownPlant {
  plant: Plant;
  /** Something of it still waits to be sent. */
  isWaiting: boolean;
  /** What is shown of it was refused by the server. */
  isRefused: boolean;
}

export function showPlant({ record, key, waiting, parked }: FoldedPlant, now: number): ShownPlant {
  return {
    plant: { ...toPlant(record, now), id: key },
    isWaiting: waiting.length > 0,
    isRefused: parked.some(({ kind }) => kind === 'create' || kind === 'update'),
  };
}
