import type { ReadingLog } from '#domain/reading/reading.ts';
import { nextSoil, readingAt, type Surroundings } from './climate.ts';

export interface HistoryOptions {
  /** ms, exclusive: the first reading comes one step later */
  from: number;
  /** ms, inclusive */
  to: number;
  stepMs: number;
  /** ms, in any order; those outside the span are ignored */
  wateredAt: readonly number[];
  /** soil % at `from` */
  startSoil: number;
}

/** The readings of a plant's sensor over a span of time, oldest first. */
export function simulateHistory(
  surroundings: Surroundings,
  { from, to, stepMs, wateredAt, startSoil }: HistoryOptions,
): ReadingLog[] {
  const waterings = wateredAt.toSorted((a, b) => a - b);
  const readings: ReadingLog[] = [];
  let soil = startSoil;
  for (let at = from; at + stepMs <= to; at += stepMs) {
    const moment = at + stepMs;
    const watered = waterings.findLast((w) => w > at && w <= moment);
    soil = nextSoil(
      surroundings,
      watered === undefined ? soil : surroundings.fieldCapacity,
      watered ?? at,
      moment,
    );
    readings.push(readingAt(surroundings, moment, soil));
  }
  return readings;
}
