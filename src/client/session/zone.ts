import type { User } from '#contract/auth.ts';
import { defaultZone, type TimeZone, timeZoneOf } from '#domain/zone.ts';

/** The time zone of a profile: `known` if it has that name. Another one is computed, which uses Intl and takes a while. */
export function zoneOf({ time_zone }: User, known: TimeZone | null): TimeZone {
  const name = time_zone ?? null;
  if (name === null) return defaultZone;
  return known?.name === name ? known : timeZoneOf(name);
}
