import * as v from 'valibot';
import type { ReadingLog } from '#domain/reading/reading.ts';
import { readingLogsSchema } from './logs.ts';
import { type PlantWithReadings, plantsWithReadingsSchema } from './plants.ts';

/**
 * Both lists of plants accept `A-IM: sprig-delta` together with If-None-Match (RFC 3229). If the server knows what has
 * changed since that ETag, it responds with 226, a delta, `IM: sprig-delta` and the new ETag. Otherwise it responds as
 * if A-IM were absent: with 304 or 200.
 */
export const deltaManipulation = 'sprig-delta';

/**
 * A delta contains only those new readings that are among this many newest readings of the plant. It lacks some if more
 * than this many are new, or if a reading arrived late and is older than these.
 */
export const deltaReadings = 24;

export interface PlantDelta {
  /** The plants that are new or whose record has changed, each as in the list. Most readings change no record. */
  changed: PlantWithReadings[];
  /** The ids of deleted plants. */
  removed: string[];
  /** Only in the list with latest readings: by plant id, the readings stored since that ETag, newest first. */
  readings?: Record<string, ReadingLog[]> | undefined;
}

export const plantDeltaSchema: v.GenericSchema<unknown, PlantDelta> = v.looseObject({
  changed: plantsWithReadingsSchema,
  removed: v.array(v.string()),
  readings: v.optional(v.record(v.string(), readingLogsSchema)),
});
