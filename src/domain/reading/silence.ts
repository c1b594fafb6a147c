import { dayMs } from '../time.ts';
import { ageInWords } from '../watering/auto-watering-note.ts';

/** An older reading says nothing about a plant's health any more. */
const freshMs = dayMs;

/** The notice for a sensor whose last reading, at `reportedAt` (ms), is older than 24 hours; null before that. */
export function silenceText(reportedAt: number, now: number): string | null {
  const ageMs = now - reportedAt;
  return ageMs > freshMs ? `Last reading ${ageInWords(ageMs)} ago` : null;
}
