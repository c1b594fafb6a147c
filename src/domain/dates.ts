const dayMs = 86_400_000;

/** Every date a person sees is UTC+7 in en-US, whatever the device's zone (spec section 9). */
const displayZoneOffsetMs = 7 * 3_600_000;

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

const minuteMs = 60_000;
const stepsMs = [1, 5, 15, 30, 60, 180, 360, 720].map((minutes) => minutes * minuteMs);

/** At most `most` round moments (ms) of the displayed clock between two others, evenly spaced: a time axis' ticks. */
export function roundMoments(from: number, to: number, most: number): number[] {
  const least = (to - from) / Math.max(1, most);
  const step = stepsMs.find((ms) => ms >= least) ?? Math.ceil(least / dayMs) * dayMs;
  const first = Math.ceil((from + displayZoneOffsetMs) / step) * step - displayZoneOffsetMs;
  const count = Math.max(0, Math.floor((to - first) / step) + 1);
  return Array.from({ length: count }, (_, i) => first + i * step).slice(0, most);
}

/** Whether two moments (ms) fall on the same UTC+7 day. */
export function isSameDay(a: number, b: number): boolean {
  return dayNumber(a) === dayNumber(b);
}

function dayNumber(moment: number): number {
  return Math.floor((moment + displayZoneOffsetMs) / dayMs);
}
