import { ageInWords } from '../watering/auto-watering-note.ts';

/** As long as a reading tells something of a plant's health. */
const freshMs = 24 * 3_600_000;

/** What to say of a sensor that last reported at `reportedAt` (ms) and has been silent since; null while that is fresh. */
export function silenceText(reportedAt: number, now: number): string | null {
  const ageMs = now - reportedAt;
  return ageMs > freshMs ? `Last reading ${ageInWords(ageMs)} ago` : null;
}
