import { ageInWords, dayMs } from '../time.ts';

export const measures = ['soil_humidity', 'air_humidity', 'temperature', 'luminance'] as const;
export type Measure = (typeof measures)[number];

/** One sensor reading on the wire. A measure that the sensor did not report is null, never 0. */
export interface ReadingLog extends Record<Measure, number | null> {
  /** ISO 8601 UTC */
  timestamp: string;
}

/** A value outside this range is a sensor fault. */
export const possibleRange: Record<Measure, { min: number; max: number }> = {
  soil_humidity: { min: 0, max: 100 },
  air_humidity: { min: 0, max: 100 },
  temperature: { min: -50, max: 80 },
  luminance: { min: 0, max: 200_000 },
};

/** Whether a sensor that last reported at `reportedAt` (ms) is silent: its readings are too old to judge health. */
export function isSilent(reportedAt: number, now: number): boolean {
  return now - reportedAt > dayMs;
}

/** The text about a silent sensor; null while its last reading is recent. */
export function silenceText(reportedAt: number, now: number): string | null {
  return isSilent(reportedAt, now) ? `Last reading ${ageInWords(now - reportedAt)} ago` : null;
}
