import type { User } from '#contract/auth.ts';
import { defaultZone, isOutdated, type TimeZone, timeZoneOf } from '#domain/zone.ts';

/**
 * The time zone of a profile. At a start it has the stored offsets, unless `known` has the same ones: computing them uses
 * Intl, which takes a while. Without `stored`, `known` is returned if it has that name and is not outdated.
 */
export function zoneOf({ time_zone }: User, known: TimeZone | null, stored?: unknown): TimeZone {
  const name = time_zone ?? null;
  if (name === null) return defaultZone;
  const same = known?.name === name ? known : null;
  if (!areOffsets(stored)) return same && !isOutdated(same, Date.now()) ? same : timeZoneOf(name);
  return same && String(same.offsets) === String(stored) ? same : { name, offsets: stored };
}

function areOffsets(stored: unknown): stored is TimeZone['offsets'] {
  return Array.isArray(stored) && stored.length > 0 && stored.every(isOffset);
}

function isOffset(stored: unknown): boolean {
  return Array.isArray(stored) && stored.length === 2 && stored.every(Number.isFinite);
}
