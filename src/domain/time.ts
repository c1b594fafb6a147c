export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

/**
 * UTC+7: the zone of an account that has chosen none, and the zone in which the server computes roll-ups by day (spec
 * section 9).
 */
export const defaultOffsetMs = 7 * hourMs;

/** A duration in its largest whole unit: '45 min', '7 h', '3 days'. Days are used from two days on. */
export function ageInWords(ageMs: number): string {
  if (ageMs < hourMs) return `${Math.floor(ageMs / minuteMs)} min`;
  if (ageMs < 2 * dayMs) return `${Math.floor(ageMs / hourMs)} h`;
  return `${Math.floor(ageMs / dayMs)} days`;
}
