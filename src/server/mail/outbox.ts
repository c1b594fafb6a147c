import { asc, eq, lte } from 'drizzle-orm';
import { uuidv7 } from 'uuidv7';
import { mailOutbox } from '../accounts/schema.ts';
import type { Database } from '../database/database.ts';
import { type Transaction, transaction } from '../database/transaction.ts';
import type { Letter } from './mail.ts';

export type QueuedMail = typeof mailOutbox.$inferSelect;

const firstPauseMs = 30_000;
const longestPauseMs = 3_600_000;

/** Commits with the mail's cause, or not at all. */
export async function queueMail(
  tx: Transaction,
  mail: { to: string; letter: Letter; now: Date; lifeMs: number },
): Promise<void> {
  const { to, letter, now, lifeMs } = mail;
  await tx.insert(mailOutbox).values({
    ...letter,
    id: uuidv7(),
    recipient: to,
    createdAt: now,
    nextAt: now,
    expiresAt: new Date(now.getTime() + lifeMs),
  });
}

/**
 * The mail that has been due longest, or null. Its next attempt is booked here, before this one: other processes
 * leave it alone until then, and one that dies while sending loses nothing.
 */
export async function claimDueMail(db: Database, now: Date): Promise<QueuedMail | null> {
  return await transaction(db, async (tx) => {
    const [mail] = await tx
      .select()
      .from(mailOutbox)
      .where(lte(mailOutbox.nextAt, now))
      .orderBy(asc(mailOutbox.nextAt), asc(mailOutbox.id))
      .limit(1)
      .for('update', { skipLocked: true });
    if (!mail) return null;
    const nextAt = new Date(now.getTime() + pauseAfter(mail.attempts));
    await tx
      .update(mailOutbox)
      .set({ nextAt, attempts: mail.attempts + 1 })
      .where(eq(mailOutbox.id, mail.id));
    return { ...mail, nextAt };
  });
}

export async function dropMail(db: Database, id: string): Promise<void> {
  await db.orm.delete(mailOutbox).where(eq(mailOutbox.id, id));
}

export async function dropExpiredMails(db: Database, now: Date): Promise<void> {
  await db.orm.delete(mailOutbox).where(lte(mailOutbox.expiresAt, now));
}

function pauseAfter(attempts: number): number {
  return Math.min(firstPauseMs * 2 ** attempts, longestPauseMs);
}
