import { minuteMs } from '../time.ts';
import { daysOf } from '../watering/schedule.ts';
import { dayIn, momentIn, type TimeZone } from '../zone.ts';

/** When an account wants its reminders. Times of day are minutes since midnight in its time zone. */
export interface ReminderTimes {
  zone: TimeZone;
  digestMinute: number;
  /** Start and end of the quiet hours; the end itself is not quiet. If both are equal, there are no quiet hours. */
  quietFromMinute: number;
  quietToMinute: number;
}

/** Pause between two checks for problems in a garden with sensors. */
export const alertPauseMs = 15 * minuteMs;

/** Whether nothing may be sent at this minute of the day. */
export function isQuietMinute(
  { quietFromMinute: from, quietToMinute: to }: Omit<ReminderTimes, 'zone' | 'digestMinute'>,
  minute: number,
): boolean {
  return from < to ? from <= minute && minute < to : from !== to && (from <= minute || minute < to);
}

/**
 * Whether nothing may be sent at `now` (ms). Compares moments, not clock times. If the clocks show the start or the end
 * of the quiet hours twice on a day, the first of these two moments counts.
 */
export function isQuiet(times: ReminderTimes, now: number): boolean {
  const { zone, quietFromMinute, quietToMinute } = times;
  const today = dayIn(zone, now);
  const lastUntilNow = (minute: number) =>
    Math.max(
      ...[-1, 0].map((days) => momentIn(zone, today + days, minute)).filter((at) => at <= now),
    );
  return lastUntilNow(quietFromMinute) > lastUntilNow(quietToMinute);
}

/**
 * When a day's digest is due, ms: at its time of day, or if that is quiet, when quiet hours end on that day. If the
 * clocks skip this time together with the end of the day, a minute before the skip, when it is still that day.
 */
export function digestMoment(times: ReminderTimes, day: number): number {
  const { zone, digestMinute, quietToMinute } = times;
  const minute = isQuietMinute(times, digestMinute) ? quietToMinute : digestMinute;
  return Math.min(momentIn(zone, day, minute), momentIn(zone, day + 1, 0) - minuteMs);
}

/**
 * The day whose digest may be sent at `now` (ms), or null. A digest whose time has passed can still be sent on the same
 * day, for example after the server was down. A digest that was due before `from` (ms) is not sent; while `from` is in
 * the future, it is ignored.
 */
export function dueDigest(times: ReminderTimes, from: number | null, now: number): number | null {
  const today = dayIn(times.zone, now);
  const due = digestMoment(times, today);
  const isLeftOut = from !== null && from <= now && due < from;
  return due > now || isLeftOut || isQuiet(times, now) ? null : today;
}

/** The start (ms) of the zone's current day at `now`. */
export function startOfDay(zone: TimeZone, now: number): number {
  return momentIn(zone, dayIn(zone, now), 0);
}

/** The end (ms) of the zone's current day at `now`. */
export function endOfDay(zone: TimeZone, now: number): number {
  return momentIn(zone, dayIn(zone, now) + 1, 0);
}

/** Start and end (ms) of the next quiet hours; if it is quiet now, the start is `now`. Null if there are none. */
export function nextQuietHours(
  times: ReminderTimes,
  now: number,
): readonly [from: number, to: number] | null {
  const { zone, quietFromMinute, quietToMinute } = times;
  if (quietFromMinute === quietToMinute) return null;
  const today = dayIn(zone, now);
  const moments = (minute: number) => [0, 1, 2].map((days) => momentIn(zone, today + days, minute));
  const from = isQuiet(times, now) ? now : (moments(quietFromMinute).find((at) => at > now) ?? now);
  // `>=`, because start and end are the same moment if the clocks skip all of the quiet hours.
  return [from, moments(quietToMinute).find((at) => at >= from) ?? from];
}

/** What an account must be checked for. */
export interface AccountChecks {
  digest: boolean;
  /** Pause between two checks for problems, ms; null: problems are not checked for. */
  alertsEveryMs: number | null;
}

/** When to check the account next, after everything that is due at `now` (ms) has been handled; null: never. */
export function nextCheck(times: ReminderTimes, checks: AccountChecks, now: number): number | null {
  const moments: number[] = [];
  const quiet = isQuiet(times, now) ? nextQuietHours(times, now) : null;
  if (checks.digest) {
    const today = dayIn(times.zone, now);
    const days = [today, today + 1, today + 2].map((day) => digestMoment(times, day));
    moments.push(...days.filter((moment) => moment > now).slice(0, 1));
  }
  if (checks.alertsEveryMs !== null && !quiet) moments.push(now + checks.alertsEveryMs);
  // When the quiet hours end, the postponed check for problems is due, and so is a digest that could not be sent before
  // they began, for example because the server was down.
  if (quiet && (checks.digest || checks.alertsEveryMs !== null)) moments.push(quiet[1]);
  return moments.length === 0 ? null : Math.min(...moments);
}

/** A time of day 'HH:MM' as minutes since midnight; NaN for a malformed one. */
export function minuteOf(timeOfDay: string): number {
  const [, hours, minutes] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(timeOfDay) ?? [];
  return Number(hours) * 60 + Number(minutes);
}

/** Minutes since midnight as a time of day: 540 is '09:00'. */
export function timeOfDay(minute: number): string {
  const hours = String(Math.floor(minute / 60)).padStart(2, '0');
  return `${hours}:${String(minute % 60).padStart(2, '0')}`;
}

/** The choices for `daysBefore`: how many days before a plant is due its reminders begin. */
export const reminderDays: readonly number[] = [0, 1, 2, 3, 7];

/** When a plant's reminder is sent, in words: 'When it is due', '1 day before due'. */
export function reminderTime(daysBefore: number): string {
  return daysBefore === 0 ? 'When it is due' : `${daysOf(daysBefore)} before due`;
}
