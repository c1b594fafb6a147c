export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

/** Dates are shown in UTC+7 and en-US, whatever the device's time zone (spec section 9). */
export const displayZoneOffsetMs = 7 * hourMs;

const months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/**
 * Formats a time in ms: 'Nov 20, 2026', '3:05 PM', both, 'Nov 20' or 'Nov 2026'; '' for NaN. Does not use Intl, whose first call takes about
 * 100 ms on a phone, just when the first cards are drawn.
 */
export function formatMoment(
  moment: number,
  format: 'date' | 'time' | 'dateTime' | 'day' | 'month',
): string {
  const shown = new Date(moment + displayZoneOffsetMs);
  if (Number.isNaN(shown.getTime())) return '';
  if (format === 'date') return dateText(shown);
  if (format === 'time') return timeText(shown);
  if (format === 'day') return `${months[shown.getUTCMonth()]} ${shown.getUTCDate()}`;
  if (format === 'month') return `${months[shown.getUTCMonth()]} ${shown.getUTCFullYear()}`;
  return `${dateText(shown)}, ${timeText(shown)}`;
}

function dateText(shown: Date): string {
  return `${months[shown.getUTCMonth()]} ${shown.getUTCDate()}, ${shown.getUTCFullYear()}`;
}

function timeText(shown: Date): string {
  const hours = shown.getUTCHours();
  const minutes = String(shown.getUTCMinutes()).padStart(2, '0');
  return `${hours % 12 || 12}:${minutes} ${hours < 12 ? 'AM' : 'PM'}`;
}

/** Whether two times (ms) are on the same day in UTC+7. */
export function isSameDay(a: number, b: number): boolean {
  return dayNumber(a) === dayNumber(b);
}

function dayNumber(moment: number): number {
  return Math.floor((moment + displayZoneOffsetMs) / dayMs);
}

/** A duration in its largest whole unit: '45 min', '7 h', '3 days'. Days are used from two days on. */
export function ageInWords(ageMs: number): string {
  if (ageMs < hourMs) return `${Math.floor(ageMs / minuteMs)} min`;
  if (ageMs < 2 * dayMs) return `${Math.floor(ageMs / hourMs)} h`;
  return `${Math.floor(ageMs / dayMs)} days`;
}
