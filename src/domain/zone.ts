import { dayMs, defaultOffsetMs, minuteMs } from './time.ts';

/**
 * A time zone as a list of its offsets from UTC, so that dates are formatted without Intl, whose first call takes about
 * 100 ms on a phone. It can be stored as JSON.
 */
export interface TimeZone {
  /** An IANA name; null for UTC+7, the spec's zone. */
  name: string | null;
  /**
   * Each offset (ms) with the moment (ms) from which it is valid, oldest first. The first is also valid for all earlier
   * times.
   */
  offsets: readonly (readonly [from: number, offset: number])[];
  /** When the offsets were last compared with the rules that this machine knows, ms. */
  checkedAt?: number;
}

/** UTC+7: what an account has until it chooses another zone (spec section 9). */
export const defaultZone: TimeZone = { name: null, offsets: [[0, defaultOffsetMs]] };

/** Outside of these years the nearest offset is used. */
const firstMoment = Date.UTC(2015, 0);
const lastMoment = Date.UTC(2045, 0);
/** Changes of the offset are searched for in steps of this length. Two changes within one step are very rare. */
const stepMs = 14 * dayMs;

/** Whether this machine knows a zone of that name. */
export function isTimeZone(name: string): boolean {
  return formatOf(name) !== null;
}

/** The zone with this name; the default for null or a name that this machine does not know. Uses Intl. */
export function timeZoneOf(name: string | null): TimeZone {
  const format = name === null ? null : formatOf(name);
  return format ? { name, offsets: offsetsOf(format) } : defaultZone;
}

/**
 * Whether the zone's offsets differ from those that this machine computes now, because a government has changed the
 * zone's rules. Compares the year from `now` (ms) on, in steps of a month. Uses Intl.
 */
export function isOutdated(zone: TimeZone, now: number): boolean {
  const format = zone.name === null ? null : formatOf(zone.name);
  if (!format) return false;
  const moments = Array.from(
    { length: 13 },
    (_, month) => now - (now % 1_000) + month * 30 * dayMs,
  );
  return moments.some((moment) => wallClock(format, moment) - moment !== offsetAt(zone, moment));
}

function formatOf(timeZone: string): Intl.DateTimeFormat | null {
  try {
    return new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  } catch {
    return null;
  }
}

function offsetsOf(format: Intl.DateTimeFormat): TimeZone['offsets'] {
  const offsetOf = (moment: number) => wallClock(format, moment) - moment;
  let last = offsetOf(firstMoment);
  const offsets: [number, number][] = [[0, last]];
  for (let from = firstMoment; from < lastMoment; from += stepMs) {
    const next = offsetOf(from + stepMs);
    if (next === last) continue;
    offsets.push([firstWith(next, offsetOf, from, from + stepMs), next]);
    last = next;
  }
  return offsets;
}

/** The first whole minute after `before`, and not later than `after`, at which the zone has the `wanted` offset. */
function firstWith(
  wanted: number,
  offsetOf: (moment: number) => number,
  before: number,
  after: number,
): number {
  let low = before / minuteMs;
  let high = after / minuteMs;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetOf(middle * minuteMs) === wanted) high = middle;
    else low = middle;
  }
  return high * minuteMs;
}

/** What a clock in the zone shows at `moment` (ms, a multiple of 1,000), converted to ms as if it were UTC. */
function wallClock(format: Intl.DateTimeFormat, moment: number): number {
  const parts = new Map(
    format.formatToParts(moment).map(({ type, value }) => [type, Number(value)]),
  );
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
  return Date.UTC(
    part('year'),
    part('month') - 1,
    part('day'),
    part('hour'),
    part('minute'),
    part('second'),
  );
}

/** How far the zone's clocks are ahead of UTC at `moment`, ms. */
export function offsetAt({ offsets }: TimeZone, moment: number): number {
  let offset = offsets[0]?.[1] ?? 0;
  for (const [from, next] of offsets) {
    if (from > moment) break;
    offset = next;
  }
  return offset;
}

/** The zone's day at `moment`, as the number of days since Jan 1, 1970. */
export function dayIn(zone: TimeZone, moment: number): number {
  return Math.floor((moment + offsetAt(zone, moment)) / dayMs);
}

/**
 * The moment (ms) at which the zone's clocks show a minute of a day. If they skip it, the moment of the skip; if they
 * show it twice, the first time.
 */
export function momentIn(zone: TimeZone, day: number, minuteOfDay: number): number {
  const local = day * dayMs + minuteOfDay * minuteMs;
  const before = local - offsetAt(zone, local - dayMs);
  const after = local - offsetAt(zone, local + dayMs);
  if (before === after) return before;
  if (before + offsetAt(zone, before) === local) return before;
  if (after + offsetAt(zone, after) === local) return after;
  // The zone skips this minute: the result is the moment of the change, which is between `after` and `before`.
  const [from] = zone.offsets.find(([change]) => change >= after && change <= before) ?? [before];
  return from;
}

/** The day's date, 'YYYY-MM-DD'. */
export function dateOfDay(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 10);
}
