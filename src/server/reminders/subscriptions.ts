import { and, eq, gt, inArray, ne } from 'drizzle-orm';
import type { PushSubscriptionPayload } from '#contract/settings/reminders.ts';
import { sessions } from '../accounts/schema.ts';
import type { PersonSession } from '../accounts/session.ts';
import type { Orm } from '../database/database.ts';
import type { Transaction } from '../database/transaction.ts';
import { unauthorized } from '../http/api-error.ts';
import { forgetProblem } from './channels/channel-result.ts';
import { pushSubscriptions } from './schema.ts';

type Owner = Pick<PersonSession, 'userId' | 'sessionId'>;

/**
 * Adds or replaces the session's subscription. Deletes those of earlier sessions of the same browser, also with the
 * endpoint that it `replaces`. Throws a 401 if the session has ended since the request was authenticated.
 */
export async function putSubscription(
  tx: Transaction,
  { userId, sessionId }: Owner,
  { endpoint, keys, account, replaces }: PushSubscriptionPayload,
  now: Date,
): Promise<void> {
  const isSession = and(eq(sessions.userId, userId), eq(sessions.id, sessionId));
  const open = await tx.select({ id: sessions.id }).from(sessions).where(isSession).for('share');
  if (open.length === 0) throw unauthorized();
  // The stored problem may be that the last browser has unsubscribed. This subscription solves it.
  if ((await countSubscriptions(tx, userId, now)) === 0) {
    await forgetProblem(tx.$client, userId, 'push');
  }
  const { p256dh, auth } = keys;
  const columns = { endpoint, p256dh, auth, account, createdAt: now };
  await tx
    .delete(pushSubscriptions)
    .where(
      and(
        eq(pushSubscriptions.userId, userId),
        inArray(pushSubscriptions.endpoint, replaces ? [endpoint, replaces] : [endpoint]),
        ne(pushSubscriptions.sessionId, sessionId),
      ),
    );
  await tx
    .insert(pushSubscriptions)
    .values({ userId, sessionId, ...columns })
    .onConflictDoUpdate({
      target: [pushSubscriptions.userId, pushSubscriptions.sessionId],
      // Leaves out user_id, because Citus allows no update of the distribution column.
      set: columns,
    });
}

/** Deletes the session's subscription, and the stored problem if no browser is subscribed any more. */
export async function deleteSubscription(
  tx: Transaction,
  { userId, sessionId }: Owner,
  now: Date,
): Promise<void> {
  await tx
    .delete(pushSubscriptions)
    .where(and(eq(pushSubscriptions.userId, userId), eq(pushSubscriptions.sessionId, sessionId)));
  if ((await countSubscriptions(tx, userId, now)) === 0) {
    await forgetProblem(tx.$client, userId, 'push');
  }
}

/** A subscription whose session has not ended. */
export type LiveSubscription = Omit<typeof pushSubscriptions.$inferSelect, 'userId' | 'createdAt'>;

export async function liveSubscriptions(
  orm: Orm,
  userId: string,
  now: Date,
): Promise<LiveSubscription[]> {
  const { sessionId, endpoint, p256dh, auth, account } = pushSubscriptions;
  return await orm
    .select({ sessionId, endpoint, p256dh, auth, account })
    .from(pushSubscriptions)
    .innerJoin(sessions, and(eq(sessions.userId, userId), eq(sessions.id, sessionId)))
    .where(and(eq(pushSubscriptions.userId, userId), gt(sessions.expiresAt, now)));
}

export async function countSubscriptions(orm: Orm, userId: string, now: Date): Promise<number> {
  return (await liveSubscriptions(orm, userId, now)).length;
}

/** Deletes a subscription that the push service no longer knows, unless the browser has renewed it since. */
export async function dropSubscription(
  tx: Transaction,
  userId: string,
  { sessionId, endpoint }: Pick<LiveSubscription, 'sessionId' | 'endpoint'>,
): Promise<void> {
  await tx
    .delete(pushSubscriptions)
    .where(
      and(
        eq(pushSubscriptions.userId, userId),
        eq(pushSubscriptions.sessionId, sessionId),
        eq(pushSubscriptions.endpoint, endpoint),
      ),
    );
}
