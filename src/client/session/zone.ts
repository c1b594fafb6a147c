import type { User } from '#contract/auth.ts';
import { dayMs } from '#domain/time.ts';
import { defaultZone, isOutdated, type TimeZone, timeZoneOf } from '#domain/zone.ts';

/**
 * Governments announce changes of a zone's rules months ahead, and browser updates contain them. So one check a month
 * is enough, and not every start has to wait for Intl.
 */
const checkEveryMs = 30 * dayMs;

/** The values of a time zone that an earlier visit stored. They are not validated yet. */
export interface StoredZone {
  offsets?: unknown;
  checkedAt?: unknown;
}

/**
 * The time zone of a profile at `now` (ms); the default zone if the profile has none. The offsets come from `stored` if
 * they are valid, else from `known` if it has the same name and is not outdated, else from `timeZoneOf`, which uses
 * Intl. Whether `known` is outdated is checked once a month. Returns `known` itself if its offsets are the same and no
 * check was made.
 */
export function zoneOf(
  { time_zone }: User,
  known: TimeZone | null,
  stored: StoredZone = {},
  now = Date.now(),
): TimeZone {
  const name = time_zone ?? null;
  if (name === null) return defaultZone;
  const same = known?.name === name ? known : null;
  const { offsets, checkedAt } = stored;
  if (areOffsets(offsets)) {
    if (same && String(same.offsets) === String(offsets)) return same;
    return { name, offsets, ...(typeof checkedAt === 'number' && { checkedAt }) };
  }
  if (same && isRecent(same, now)) return same;
  return { ...(same && !isOutdated(same, now) ? same : timeZoneOf(name)), checkedAt: now };
}

/** False for a time in the future too, since the device's clock may have been corrected. */
function isRecent({ checkedAt }: TimeZone, now: number): boolean {
  return checkedAt !== undefined && checkedAt <= now && now - checkedAt < checkEveryMs;
}

function areOffsets(stored: unknown): stored is TimeZone['offsets'] {
  return Array.isArray(stored) && stored.length > 0 && stored.every(isOffset);
}

function isOffset(stored: unknown): boolean {
  return Array.isArray(stored) && stored.length === 2 && stored.every(Number.isFinite);
}
