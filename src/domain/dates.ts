import { dayMs } from './durations.ts';

/** Every date a person sees is UTC+7 in en-US, whatever the device's zone (spec section 9). */
export const displayZoneOffsetMs = 7 * 3_600_000;

const formats = {
  date: new Intl.DateTimeFormat('en-US', {
    dateStyle: 'medium',
    timeZone: 'UTC',
  }),
  time: new Intl.DateTimeFormat('en-US', {
    timeStyle: 'short',
    timeZone: 'UTC',
  }),
  dateTime: new Intl.DateTimeFormat('en-US', {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: 'UTC',
  }),
};

/** A moment (ms) in the product's words; '' for a moment that is none. */
export function formatMoment(moment: number, format: keyof typeof formats): string {
  return Number.isFinite(moment) ? formats[format].format(moment + displayZoneOffsetMs) : '';
}

/** Whether two moments (ms) fall on the same UTC+7 day. */
export function isSameDay(a: number, b: number): boolean {
  return dayNumber(a) === dayNumber(b);
}

function dayNumber(moment: number): number {
  return Math.floor((moment + displayZoneOffsetMs) / dayMs);
}
