import { dayIn, offsetAt, type TimeZone } from './zone.ts';

const months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/**
 * Formats a time in ms as the zone's clocks show it: 'Nov 20, 2026', '3:05 PM', both, 'Nov 20' or 'Nov 2026'; '' for
 * NaN. Does not use Intl, whose first call takes about 100 ms on a phone, just when the first cards are drawn.
 */
export function formatMoment(
  moment: number,
  format: 'date' | 'time' | 'dateTime' | 'day' | 'month',
  zone: TimeZone,
): string {
  const shown = new Date(moment + offsetAt(zone, moment));
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

/** Whether two times (ms) are on the same day in the zone. */
export function isSameDay(a: number, b: number, zone: TimeZone): boolean {
  return dayIn(zone, a) === dayIn(zone, b);
}
