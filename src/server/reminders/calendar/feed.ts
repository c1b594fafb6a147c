import { eq } from 'drizzle-orm';
import * as v from 'valibot';
import { calendarPaths } from '#contract/settings/calendar.ts';
import { calendarText } from '#domain/calendar/ics.ts';
import {
  type CalendarPlant,
  eventsPerDay,
  eventsPerPlant,
} from '#domain/calendar/watering-events.ts';
import { dayIn } from '#domain/zone.ts';
import { zoneOfAccount } from '../../accounts/time-zone.ts';
import { hashToken } from '../../accounts/token.ts';
import type { Orm } from '../../database/database.ts';
import { notFound } from '../../http/api-error.ts';
import type { App, AppDeps } from '../../http/app-deps.ts';
import { contentEtag, sendUnlessMatched } from '../../http/etag.ts';
import { limitAttempts } from '../../http/rate-limit.ts';
import { plants } from '../../plants/schema.ts';
import { type Feed, findFeed, recordFetch } from './queries.ts';

const params = v.object({ secret: v.string() });

/** Needs no session, because calendar apps cannot sign in: whoever knows the URL may read the feed. */
export function calendarFeedRoute(app: App, deps: AppDeps): void {
  app.get(calendarPaths.feed, async (request, reply) => {
    // Search engines must not list the URL, and a link in an event must not send it to another site as its referrer.
    reply.header('x-robots-tag', 'noindex').header('referrer-policy', 'no-referrer');
    const { secret } = v.parse(params, request.params);
    const text = await readFeedText(deps, secret);
    if (text === null) {
      // Only wrong URLs count, because a calendar service fetches the feeds of many people from one IP address.
      await limitAttempts(deps, 'calendar', secret, request.ip);
      throw notFound('Calendar');
    }
    return sendUnlessMatched(request, reply, text, contentEtag(text), {
      type: 'text/calendar; charset=utf-8',
      cacheControl: 'private, max-age=900',
    });
  });
}

/** Null if the secret is not valid, whatever the reason. */
async function readFeedText(deps: AppDeps, secret: string): Promise<string | null> {
  const feed = await findFeed(deps.db.orm, secret);
  return feed ? await feedText(deps, feed) : null;
}

const name = 'Sprig: watering';

/**
 * The feed as text/calendar, or null if it was revoked meanwhile. All requests of a day get the same bytes unless the
 * plants or the settings change.
 */
async function feedText(
  { db, clock, publicUrl }: Pick<AppDeps, 'db' | 'clock' | 'publicUrl'>,
  feed: Feed,
): Promise<string | null> {
  const { userId: account, isPerPlant } = feed;
  const now = clock();
  const zone = await zoneOfAccount(db.orm, account);
  const watered = await readPlants(db.orm, account);
  const today = dayIn(zone, now.getTime());
  // The events of an overdue plant move each day. The day is part of the data so that the time stamp changes too:
  // calendar apps may ignore a change with an old time stamp.
  const isOverdue = watered.some(({ nextWatering }) => dayIn(zone, nextWatering) < today);
  const data = [zone.name, isPerPlant, publicUrl(), watered, isOverdue ? today : null];
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
