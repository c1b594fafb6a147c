import { and, asc, eq, gt, isNotNull, isNull, lte, or, sql } from 'drizzle-orm';
import { uuidv7 } from 'uuidv7';
import { hourMs } from '#domain/time.ts';
import type { Database } from '../database/database.ts';
import { type Transaction, transaction } from '../database/transaction.ts';
import type { EmailContent } from './email.ts';
import { mailOutbox } from './schema.ts';

export type QueuedEmail = typeof mailOutbox.$inferSelect;

const firstRetryMs = 30_000;
const maxRetryMs = hourMs;

/** The lifetime of an email that only informs its reader. */
export const informationLifetimeMs = 24 * hourMs;

/** Emails that accounts need, such as links to a new password, never wait for reminders. */
export type EmailKind = 'needed' | 'reminder';

export interface NewEmail {
  to: string;
  content: EmailContent;
  now: Date;
  lifetimeMs: number;
  /** Of a reminder: its account, and its next quiet hours (ms), in which it is not sent. */
  reminder?: { userId: string; quiet: readonly [from: number, to: number] | null };
}

/**
 * Queues an email in the same transaction as the change that causes it, so that it is sent only if that transaction
 * commits.
 */
export async function queueEmail(
  tx: Transaction,
  { to, content, now, lifetimeMs, reminder }: NewEmail,
): Promise<void> {
  const quiet = reminder?.quiet;
  await tx.insert(mailOutbox).values({
    ...content,
    id: uuidv7(),
    recipient: to,
    accountId: reminder?.userId ?? null,
    quietFrom: quiet ? new Date(quiet[0]) : null,
    quietTo: quiet ? new Date(quiet[1]) : null,
    createdAt: now,
    nextAt: now,
    expiresAt: new Date(now.getTime() + lifetimeMs),
  });
}

/**
 * The email of this kind that has been due longest, or null. Stores the time of the next attempt before this attempt
 * begins. Until then other processes skip the email. If this process dies while sending, the email is sent again at
 * that time.
 */
export async function claimDueEmail(
  db: Database,
  kind: EmailKind,
  now: Date,
): Promise<QueuedEmail | null> {
  return await transaction(db, async (tx) => {
    const [email] = await tx
      .select()
      .from(mailOutbox)
      .where(and(isOfKind(kind), isDueAt(now), maySendAt(now)))
      .orderBy(asc(mailOutbox.nextAt), asc(mailOutbox.id))
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

/** Written like the first column of the index mail_outbox_order. */
function isOfKind(kind: EmailKind) {
  return sql`(${isNotNull(mailOutbox.accountId)}) = ${kind === 'reminder'}`;
}

/**
 * Whether an email is due. It is also due if its next attempt is planned later than any retry can be, because then the
 * clock was ahead when the attempt was planned. The limit is twice the longest retry delay, because the clocks of
 * several servers differ.
 */
function isDueAt(now: Date) {
  const latest = new Date(now.getTime() + 2 * maxRetryMs);
  return or(lte(mailOutbox.nextAt, now), gt(mailOutbox.nextAt, latest));
}

/** Not in the quiet hours, and not after the email has expired. */
function maySendAt(now: Date) {
  const { quietFrom, quietTo, expiresAt } = mailOutbox;
  return and(
    or(isNull(quietFrom), isNull(quietTo), gt(quietFrom, now), lte(quietTo, now)),
    gt(expiresAt, now),
  );
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
