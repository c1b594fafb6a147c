import { eq } from 'drizzle-orm';
import { calendarText } from '#domain/calendar/ics.ts';
import {
  type CalendarPlant,
  eventsPerDay,
  eventsPerPlant,
} from '#domain/calendar/watering-events.ts';
import { zoneOfAccount } from '../../accounts/time-zone.ts';
import { hashToken } from '../../accounts/token.ts';
import type { Orm } from '../../database/database.ts';
import type { AppDeps } from '../../http/app-deps.ts';
import { plants } from '../../plants/schema.ts';
import { type Feed, recordFetch } from './feeds.ts';

const name = 'Sprig: watering';

/**
 * The feed as text/calendar, or null if it was revoked meanwhile. All requests of a day get the same bytes unless the
 * plants or the settings change.
 */
export async function feedText(
  { db, clock, publicUrl }: Pick<AppDeps, 'db' | 'clock' | 'publicUrl'>,
  feed: Feed,
): Promise<string | null> {
  const { userId: account, isPerPlant } = feed;
  const now = clock();
  const zone = await zoneOfAccount(db.orm, account);
  const watered = await readPlants(db.orm, account);
  const data = [zone.name, isPerPlant, publicUrl(), watered];
  const changedAt = await recordFetch(db, feed, hashToken(JSON.stringify(data)), now);
  if (!changedAt) return null;
  const view = { account, zone, now: now.getTime(), publicUrl: publicUrl() };
  const events = isPerPlant ? eventsPerPlant(watered, view) : eventsPerDay(watered, view);
  return calendarText({ name, changedAt: changedAt.getTime(), events });
}

async function readPlants(orm: Orm, userId: string): Promise<CalendarPlant[]> {
  const rows = await orm
    .select({
      id: plants.id,
      nickname: plants.nickname,
      location: plants.location,
      nextWatering: plants.next_watering_date,
      wateringFrequency: plants.watering_frequency,
    })
    .from(plants)
    .where(eq(plants.userId, userId))
    .orderBy(plants.id);
  return rows.map((row) => ({ ...row, nextWatering: row.nextWatering.getTime() }));
}
