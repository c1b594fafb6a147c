import { and, eq } from 'drizzle-orm';
import type { CalendarState } from '#contract/settings/calendar.ts';
import { hourMs } from '#domain/time.ts';
import { accountIn, hashToken, longSecretBytes, newToken } from '../../accounts/token.ts';
import type { Database, Orm } from '../../database/database.ts';
import { calendarFeeds } from '../schema.ts';

export type Feed = typeof calendarFeeds.$inferSelect;

export async function readFeed(orm: Orm, userId: string): Promise<Feed | undefined> {
  const [feed] = await orm.select().from(calendarFeeds).where(eq(calendarFeeds.userId, userId));
  return feed;
}

/** Makes the account's feed, or gives it a new secret; the earlier one is no longer valid. */
export async function renewFeed(
  orm: Orm,
  userId: string,
  now: Date,
): Promise<{ feed: Feed; secret: string }> {
  const secret = newToken(userId, longSecretBytes);
  const secretHash = hashToken(secret);
  const made = { secretHash, createdAt: now, fetchedAt: null, dataHash: null, changedAt: now };
  const [feed] = await orm
    .insert(calendarFeeds)
    .values({ userId, ...made })
    .onConflictDoUpdate({ target: calendarFeeds.userId, set: made })
    .returning();
  if (!feed) throw new Error('the feed was not stored');
  return { feed, secret };
}

/** Undefined if the account has no feed. */
export async function changeFeed(
  orm: Orm,
  userId: string,
  change: Pick<Feed, 'isPerPlant'>,
): Promise<Feed | undefined> {
  const [feed] = await orm
    .update(calendarFeeds)
    .set(change)
    .where(eq(calendarFeeds.userId, userId))
    .returning();
  return feed;
}

export async function deleteFeed(orm: Orm, userId: string): Promise<void> {
  await orm.delete(calendarFeeds).where(eq(calendarFeeds.userId, userId));
}

/** The feed with this secret. The secret contains the account's id, so that only that account's row is read. */
export async function findFeed(orm: Orm, secret: string): Promise<Feed | undefined> {
  const userId = accountIn(secret);
  if (userId === null) return undefined;
  const [feed] = await orm
    .select()
    .from(calendarFeeds)
    .where(and(eq(calendarFeeds.userId, userId), eq(calendarFeeds.secretHash, hashToken(secret))));
  return feed;
}

/**
 * Stores the hash of the feed's data and the time of the request, rounded down to the hour, unless both are stored
 * already. Resolves to the time of the request that found the latest change of the data, or to the time when the feed
 * was created if no request has found a change. With each change this time is at least a second later, even if the
 * server's clock was set back, because calendar apps compare the time stamps of events, which have whole seconds.
 * Resolves to null if it has to write but the feed was revoked or renewed meanwhile.
 */
export async function recordFetch(
  { pool }: Pick<Database, 'pool'>,
  feed: Feed,
  dataHash: string,
  now: Date,
): Promise<Date | null> {
  const hour = new Date(Math.floor(now.getTime() / hourMs) * hourMs);
  if (feed.dataHash === dataHash && feed.fetchedAt?.getTime() === hour.getTime()) {
    return feed.changedAt;
  }
  // Without a time zone, because Citus requires immutable expressions in a CASE, and adding to a timestamptz is not.
  const { rows } = await pool.query<{ changedAt: Date }>({
    name: 'calendar-fetched',
    text: `UPDATE calendar_feeds SET fetched_at = $5, data_hash = $3,
        changed_at = CASE WHEN coalesce(data_hash, $3) = $3 THEN changed_at ELSE greatest(
          $4, (changed_at AT TIME ZONE 'UTC' + interval '1 second') AT TIME ZONE 'UTC') END
      WHERE user_id = $1 AND secret_hash = $2 RETURNING changed_at AS "changedAt"`,
    values: [feed.userId, feed.secretHash, dataHash, now, hour],
  });
  return rows[0]?.changedAt ?? null;
}

/** The state of an account without a feed. */
const noFeed: CalendarState = { created_at: null, is_per_plant: false, fetched_at: null };

export function stateOf(feed: Feed | undefined): CalendarState {
  if (!feed) return noFeed;
  return {
    created_at: feed.createdAt.toISOString(),
    is_per_plant: feed.isPerPlant,
    fetched_at: feed.fetchedAt?.toISOString() ?? null,
  };
}
