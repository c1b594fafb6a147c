import { dayMs, minuteMs } from '#domain/time.ts';
import { dayIn, offsetAt, type TimeZone } from '#domain/zone.ts';

/** Minutes since midnight that the zone's clocks show at `moment` (ms): 0–1439. */
export function minuteOfDayIn(zone: TimeZone, moment: number): number {
  const local = moment + offsetAt(zone, moment);
  return Math.floor((local - dayIn(zone, moment) * dayMs) / minuteMs);
}
