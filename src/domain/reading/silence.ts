import { ageInWords, dayMs } from '../time.ts';

/** Whether a sensor that last reported at `reportedAt` (ms) is silent: its reading says nothing about health any more. */
export function isSilent(reportedAt: number, now: number): boolean {
  return now - reportedAt > dayMs;
}

/** What to say about a silent sensor; null while its last reading is fresh. */
export function silenceText(reportedAt: number, now: number): string | null {
  return isSilent(reportedAt, now) ? `Last reading ${ageInWords(now - reportedAt)} ago` : null;
}
