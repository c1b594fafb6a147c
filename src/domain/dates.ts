import { dayMs } from './durations.ts';

/** Every date a person sees is UTC+7 in en-US, whatever the device's zone (spec section 9). */
export const displayZoneOffsetMs = 7 * 3_600_000;

const months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/**
 * A moment (ms) in the product's words: 'Nov 20, 2026', '3:05 PM', or both; '' for a moment that is none. By hand,
 * because the first use of Intl costs a phone a tenth of a second, just when the first cards are drawn.
 */
export function formatMoment(moment: number, format: 'date' | 'time' | 'dateTime'): string {
  const shown = new Date(moment + displayZoneOffsetMs);
  if (Number.isNaN(shown.getTime())) return '';
  if (format === 'date') return dateText(shown);
  if (format === 'time') return timeText(shown);
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

/** Whether two moments (ms) fall on the same UTC+7 day. */
export function isSameDay(a: number, b: number): boolean {
  return dayNumber(a) === dayNumber(b);
}

function dayNumber(moment: number): number {
  return Math.floor((moment + displayZoneOffsetMs) / dayMs);
}
