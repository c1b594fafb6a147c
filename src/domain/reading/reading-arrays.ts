import type { Measure, ReadingLog } from './reading.ts';

/** Readings as parallel arrays, newest first. The device database stores a plant's newest 200 in one row. */
export interface ReadingArrays extends Record<Measure, (number | null)[]> {
  timestamp: string[];
}

const storedLimit = 200;

/**
 * Adds new readings to stored ones. The result is the newest 200, newest first, one per timestamp; `incoming` wins over
 * `known`.
 */
export function mergeReadings(
  known: ReadingArrays | undefined,
  incoming: readonly ReadingLog[],
): ReadingArrays {
  const byMoment = new Map<number, ReadingLog>();
  for (const log of known ? arraysToLogs(known) : []) byMoment.set(Date.parse(log.timestamp), log);
  for (const log of incoming) byMoment.set(Date.parse(log.timestamp), log);
  const newest = [...byMoment]
    .filter(([moment]) => !Number.isNaN(moment))
    .sort(([a], [b]) => b - a)
    .slice(0, storedLimit)
    .map(([, log]) => log);
  return logsToArrays(newest);
}

export function arraysToLogs(arrays: ReadingArrays): ReadingLog[] {
  return arrays.timestamp.map((timestamp, i) => ({
    timestamp,
    soil_humidity: arrays.soil_humidity[i] ?? null,
    air_humidity: arrays.air_humidity[i] ?? null,
    temperature: arrays.temperature[i] ?? null,
    luminance: arrays.luminance[i] ?? null,
  }));
}

function logsToArrays(logs: readonly ReadingLog[]): ReadingArrays {
  const column = (measure: Measure) => logs.map((log) => log[measure] ?? null);
  return {
    timestamp: logs.map((log) => log.timestamp),
    soil_humidity: column('soil_humidity'),
    air_humidity: column('air_humidity'),
    temperature: column('temperature'),
    luminance: column('luminance'),
  };
}
