import { asc, eq, isNotNull, lte } from 'drizzle-orm';
import { uuidv7 } from 'uuidv7';
import { hourMs } from '#domain/time.ts';
import type { Database } from '../database/database.ts';
import { type Transaction, transaction } from '../database/transaction.ts';
import type { EmailContent } from './email.ts';
import { mailOutbox } from './schema.ts';

export type QueuedEmail = typeof mailOutbox.$inferSelect;

const firstRetryMs = 30_000;
const maxRetryMs = hourMs;

/**
 * Queues an email in the transaction of its cause, so that it is sent only if that commits. `reminds`: the account of a
 * reminder; such emails wait for those that accounts need.
 */
export async function queueEmail(
  tx: Transaction,
  email: { to: string; content: EmailContent; now: Date; lifetimeMs: number; reminds?: string },
): Promise<void> {
  const { to, content, now, lifetimeMs, reminds = null } = email;
  await tx.insert(mailOutbox).values({
    ...content,
    id: uuidv7(),
    recipient: to,
    accountId: reminds,
    createdAt: now,
    nextAt: now,
    expiresAt: new Date(now.getTime() + lifetimeMs),
  });
}

/**
 * The email that has been due longest, reminders last; or null. Schedules its next attempt before this one: until then other
 * processes skip the email, and if this process dies while sending, the email is sent again.
 */
export async function claimDueEmail(db: Database, now: Date): Promise<QueuedEmail | null> {
  return await transaction(db, async (tx) => {
    const [email] = await tx
      .select()
      .from(mailOutbox)
      .where(lte(mailOutbox.nextAt, now))
      .orderBy(isNotNull(mailOutbox.accountId), asc(mailOutbox.nextAt), asc(mailOutbox.id))
      .limit(1)
      .for('update', { skipLocked: true });
    if (!email) return null;
    const nextAt = new Date(now.getTime() + retryDelayMs(email.attempts));
    await tx
      .update(mailOutbox)
      .set({ nextAt, attempts: email.attempts + 1 })
      .where(eq(mailOutbox.id, email.id));
    return { ...email, nextAt };
  });
}

export async function deleteEmail(db: Database, id: string): Promise<void> {
  await db.orm.delete(mailOutbox).where(eq(mailOutbox.id, id));
}

export async function deleteExpiredEmails(db: Database, now: Date): Promise<void> {
  await db.orm.delete(mailOutbox).where(lte(mailOutbox.expiresAt, now));
}

function retryDelayMs(attempts: number): number {
  return Math.min(firstRetryMs * 2 ** attempts, maxRetryMs);
}
