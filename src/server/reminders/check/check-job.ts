import { minuteMs } from '#domain/time.ts';
import type { Database } from '../../database/database.ts';
import { isConnectionLost } from '../../database/lost-connections.ts';
import { transaction } from '../../database/transaction.ts';
import type { Clock } from '../../http/app-deps.ts';
import { codeOf, reportFailure } from '../../jobs/job.ts';
import { serverKeys } from '../server-keys.ts';
import { unsubscribeUrl } from '../unsubscribe.ts';
import { type CheckOptions, checkAccount, maxPauseMs } from './check-account.ts';

export interface CheckJobOptions {
  db: Database;
  clock: Clock;
  publicUrl: () => string;
  /** Called with an error code. Error messages are left out because they may contain row values. */
  onFailure: (code: string) => void;
  /** When this process started; null if it is not known. */
  startedAt?: Date | null;
  /** How many accounts are listed at once. */
  batchSize?: number;
}

const accountsAtOnce = 4;
/** Time after a start in which devices send the readings that they stored while no server was running. */
const backlogMs = 30 * minuteMs;
/** Pause before an account is checked again after an unexpected error, so that it does not delay others. */
const errorPauseMs = 15 * minuteMs;

/** Checks all accounts that are due. Resolves to whether messages were queued. Never rejects. */
export async function checkDueAccounts(
  options: CheckJobOptions,
  stopping?: AbortSignal,
): Promise<boolean> {
  const { db, clock, publicUrl, startedAt, batchSize = 100 } = options;
  let isQueued = false;
  try {
    const { unsubscribe } = await serverKeys(db);
    const link = (userId: string) => unsubscribeUrl(publicUrl(), unsubscribe, userId);
    for (;;) {
      const now = clock();
      const due = await dueAccounts(db, now, batchSize);
      const checked = await inParallel(due, stopping, (userId) => {
        const check = { now, publicUrl: publicUrl(), unsubscribeUrl: link };
        return checkOnce(options, userId, { ...check, reportsSilence: hasRunFor(startedAt, now) });
      });
      if (checked.includes(true)) isQueued = true;
      // If a whole batch was skipped, other processes are checking those accounts.
      const isOver = due.length < batchSize || checked.every((result) => result === null);
      if (isOver || stopping?.aborted) return isQueued;
    }
  } catch (error) {
    reportFailure(options, error);
    return isQueued;
  }
}

function hasRunFor(startedAt: Date | null | undefined, now: Date): boolean {
  if (!startedAt) return true;
  const ranMs = now.getTime() - startedAt.getTime();
  return ranMs < 0 || ranMs >= backlogMs;
}

async function dueAccounts({ pool }: Database, now: Date, limit: number): Promise<string[]> {
  const { rows } = await pool.query<{ userId: string }>({
    name: 'due-reminders',
    text: `SELECT user_id AS "userId" FROM reminder_settings WHERE next_at <= $1 OR next_at > $2
      ORDER BY next_at LIMIT $3`,
    values: [now, new Date(now.getTime() + maxPauseMs), limit],
  });
  return rows.map(({ userId }) => userId);
}

/** Checks one account. An unexpected error is reported, and the account's next check is postponed. */
async function checkOnce(
  { db, onFailure }: CheckJobOptions,
  userId: string,
  check: CheckOptions,
): Promise<boolean | null> {
  try {
    return await transaction(db, (tx) => checkAccount(tx, userId, check));
  } catch (error) {
    if (isConnectionLost(error)) throw error;
    onFailure(codeOf(error));
    await db.pool.query('UPDATE reminder_settings SET next_at = $2 WHERE user_id = $1', [
      userId,
      new Date(check.now.getTime() + errorPauseMs),
    ]);
    return false;
  }
}

/** Works on several accounts at once, because each waits for the database most of its time. */
async function inParallel<T>(
  userIds: readonly string[],
  stopping: AbortSignal | undefined,
  work: (userId: string) => Promise<T>,
): Promise<T[]> {
  const waiting = userIds.values();
  const results: T[] = [];
  const run = async () => {
    for (const userId of waiting) {
      if (stopping?.aborted) return;
      results.push(await work(userId));
    }
  };
  // Wait for all before throwing an error, so that nothing uses the database afterwards.
  const ended = await Promise.allSettled(Array.from({ length: accountsAtOnce }, run));
  for (const end of ended) if (end.status === 'rejected') throw end.reason;
  return results;
}
