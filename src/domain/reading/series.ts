import type { Measure, ReadingLog } from './reading.ts';

/** Readings as parallel arrays, newest first. The device database stores a plant's newest 200 in one row. */
export interface ReadingSeries extends Record<Measure, (number | null)[]> {
  timestamp: string[];
}

const seriesLimit = 200;

/**
 * Merges new readings into a series: the newest 200 readings, newest first, one per timestamp; `incoming` wins over
 * `known`.
 */
export function mergeReadings(
  known: ReadingSeries | undefined,
  incoming: readonly ReadingLog[],
): ReadingSeries {
  const byMoment = new Map<number, ReadingLog>();
  for (const log of known ? seriesToLogs(known) : []) byMoment.set(Date.parse(log.timestamp), log);
  for (const log of incoming) byMoment.set(Date.parse(log.timestamp), log);
  const newest = [...byMoment]
    .filter(([moment]) => !Number.isNaN(moment))
    .sort(([a], [b]) => b - a)
    .slice(0, seriesLimit)
    .map(([, log]) => log);
  return logsToSeries(newest);
}

export function seriesToLogs(series: ReadingSeries): ReadingLog[] {
  return series.timestamp.map((timestamp, i) => ({
    timestamp,
    soil_humidity: series.soil_humidity[i] ?? null,
    air_humidity: series.air_humidity[i] ?? null,
    temperature: series.temperature[i] ?? null,
    luminance: series.luminance[i] ?? null,
  }));
}

function logsToSeries(logs: readonly ReadingLog[]): ReadingSeries {
  const column = (measure: Measure) => logs.map((log) => log[measure] ?? null);
  return {
    timestamp: logs.map((log) => log.timestamp),
    soil_humidity: column('soil_humidity'),
    air_humidity: column('air_humidity'),
    temperature: column('temperature'),
    luminance: column('luminance'),
  };
}
