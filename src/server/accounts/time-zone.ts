import { eq } from 'drizzle-orm';
import { type TimeZone, timeZoneOf } from '#domain/zone.ts';
import type { Orm } from '../database/database.ts';
import type { Transaction } from '../database/transaction.ts';
import { users } from './schema.ts';

/**
 * Zones are cached because computing their offsets takes some milliseconds. The cache needs a limit because a name may
 * be spelled in many ways. There are fewer different zones than this.
 */
const maxKnownZones = 1_000;
const knownZones = new Map<string | null, TimeZone>();

/** The account's time zone; UTC+7 if it has chosen none, or one that this machine does not know. */
export async function zoneOfAccount(orm: Orm | Transaction, userId: string): Promise<TimeZone> {
  const [account] = await orm
    .select({ name: users.timeZone })
    .from(users)
    .where(eq(users.id, userId));
  return zoneNamed(account?.name ?? null);
}

/** The zone of a name from `users.time_zone`, cached. */
export function zoneNamed(name: string | null): TimeZone {
  const known = knownZones.get(name);
  if (known) return known;
  const zone = timeZoneOf(name);
  if (knownZones.size >= maxKnownZones) knownZones.clear();
  knownZones.set(name, zone);
  return zone;
}
