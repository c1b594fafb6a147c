import type { User } from '#contract/auth.ts';
import { defaultZone, type TimeZone, timeZoneOf } from '#domain/zone.ts';

/**
 * The time zone of a profile: `known` if it has that name, else one with the stored offsets. Without either, it is
 * computed, which uses Intl and is slow.
 */
export function zoneOf({ time_zone }: User, known: TimeZone | null, stored?: unknown): TimeZone {
  const name = time_zone ?? null;
  if (name === null) return defaultZone;
  if (known?.name === name) return known;
  return areOffsets(stored) ? { name, offsets: stored } : timeZoneOf(name);
}

function areOffsets(stored: unknown): stored is TimeZone['offsets'] {
  return Array.isArray(stored) && stored.length > 0 && stored.every(isOffset);
}

function isOffset(stored: unknown): boolean {
  return Array.isArray(stored) && stored.length === 2 && stored.every(Number.isFinite);
}
