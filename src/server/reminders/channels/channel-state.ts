import type { ReminderChannel } from '#contract/settings/reminders.ts';
import type { Queryable } from '../../database/transaction.ts';

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
