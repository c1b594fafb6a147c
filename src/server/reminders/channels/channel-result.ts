import pg from 'pg';
import type { ReminderChannel } from '#contract/settings/reminders.ts';
import type { Database } from '../../database/database.ts';
import type { Queryable } from '../../database/transaction.ts';
import type { Clock } from '../../http/app-deps.ts';
import { markAccepted } from '../check/claims.ts';

/** Stores the result of the last message of a channel: null if it was accepted, otherwise why not, in words. */
export async function recordResult(
  db: Queryable,
  { userId, channel, now }: { userId: string; channel: ReminderChannel; now: Date },
  problem: string | null,
): Promise<void> {
  await db.query({
    name: 'channel-result',
    text: `INSERT INTO reminder_channels AS stored (user_id, channel, accepted_at, problem) VALUES ($1, $2, $3, $4)
      ON CONFLICT (user_id, channel) DO UPDATE SET
        accepted_at = coalesce(excluded.accepted_at, stored.accepted_at), problem = excluded.problem`,
    values: [userId, channel, problem === null ? now : null, problem],
  });
}

/** Deletes the stored problem of a channel: it was about an earlier target, and the next message goes to a new one. */
export async function forgetProblem(
  db: Queryable,
  userId: string,
  channel: ReminderChannel,
): Promise<void> {
  await db.query({
    name: 'forget-problem',
    text: 'UPDATE reminder_channels SET problem = NULL WHERE user_id = $1 AND channel = $2 AND problem IS NOT NULL',
    values: [userId, channel],
  });
}

/** Why an email was not accepted, in words for the person. `error`: what the transport has thrown. */
export function mailProblem(error: unknown): string {
  const status = error instanceof Error && 'responseCode' in error ? error.responseCode : null;
  return typeof status === 'number'
    ? `The mail server did not accept the message (status ${status})`
    : 'The mail server could not be reached';
}

/**
 * For the email sender: stores the result of the account's last reminder email, which the settings show. If the email
 * was accepted, also marks the alerts that were claimed at its creation time as accepted. If the email is the digest of
 * the same check, this assumes that the mail server also accepts the alerts.
 */
export function mailRecorder({ db, clock }: { db: Database; clock: Clock }) {
  return async (
    { accountId: userId, createdAt: madeAt }: { accountId: string; createdAt: Date },
    error: unknown,
  ): Promise<void> => {
    const problem = error === null ? null : mailProblem(error);
    const now = clock();
    try {
      if (problem === null) await markAccepted(db.pool, userId, { madeAt, now });
      await recordResult(db.pool, { userId, channel: 'mail', now }, problem);
    } catch (failure) {
      // The account was deleted meanwhile: nothing to store the result for, and no failure to report.
      if (!isAccountMissing(failure)) throw failure;
    }
  };
}

const foreignKeyViolation = '23503';

function isAccountMissing(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === foreignKeyViolation;
}
