import { and, eq, ne } from 'drizzle-orm';
import type { PushSubscriptionPayload } from '#contract/settings/reminders.ts';
import type { PersonSession } from '../accounts/session.ts';
import type { Transaction } from '../database/transaction.ts';
import { pushSubscriptions } from './schema.ts';

type Owner = Pick<PersonSession, 'userId' | 'sessionId'>;

/** Adds or replaces the session's subscription. Earlier sessions of the same browser lose theirs. */
export async function putSubscription(
  tx: Transaction,
  { userId, sessionId }: Owner,
  { endpoint, keys, account }: PushSubscriptionPayload,
  now: Date,
): Promise<void> {
  const { p256dh, auth } = keys;
  const row = { userId, sessionId, endpoint, p256dh, auth, account, createdAt: now };
  await tx
    .delete(pushSubscriptions)
    .where(
      and(
        eq(pushSubscriptions.userId, userId),
        eq(pushSubscriptions.endpoint, endpoint),
        ne(pushSubscriptions.sessionId, sessionId),
      ),
    );
  await tx
    .insert(pushSubscriptions)
    .values(row)
    .onConflictDoUpdate({
      target: [pushSubscriptions.userId, pushSubscriptions.sessionId],
      set: row,
    });
}

export async function deleteSubscription(
  tx: Transaction,
  { userId, sessionId }: Owner,
): Promise<void> {
  await tx
    .delete(pushSubscriptions)
    .where(and(eq(pushSubscriptions.userId, userId), eq(pushSubscriptions.sessionId, sessionId)));
}
