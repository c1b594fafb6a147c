import * as v from 'valibot';
import type { ReadingLog } from '#domain/reading/reading.ts';
import { readingLogsSchema } from './logs.ts';
import { type PlantWithReadings, plantsWithReadingsSchema } from './plants.ts';

/**
 * Both lists of plants accept `A-IM: sprig-delta` together with If-None-Match (RFC 3229). If something has changed
 * since that ETag, the response is a 226 with a delta, `IM: sprig-delta` and the new ETag. If nothing has changed, it
 * is a 304. If the server does not know the changes, or if the delta would be too large, it is a 200 with the whole
 * list.
 */
export const deltaManipulation = 'sprig-delta';

/**
 * To find the new readings of a plant, a delta considers only this many of its newest readings. So it lacks some new
 * readings if more than this many are new, or if a reading arrived late and is older than these.
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
