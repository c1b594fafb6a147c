import { uuidv7 } from 'uuidv7';
import type { ReminderChannel } from '#contract/settings/reminders.ts';
import { dayMs, hourMs } from '#domain/time.ts';
import type { Database } from '../database/database.ts';
import { type Transaction, transaction } from '../database/transaction.ts';
import { releaseAlerts } from './check/claims.ts';
import { digestLinkPattern, type Message, messageOf, storedData } from './message.ts';
import { reminderDeliveries } from './schema.ts';
import { type LiveSubscription, liveSubscriptions } from './subscriptions.ts';

/** A message to one browser or one ntfy topic that this process may send now. */
export interface Delivery {
  userId: string;
  id: string;
  channel: ReminderChannel;
  /** Number of attempts, including this one. Identifies the claim. */
  attempts: number;
  message: Message;
  /**
   * Where to send it: `push` is null if the browser has unsubscribed or its session has ended, `ntfyUrl` if the topic
   * was removed.
   */
  push: LiveSubscription | null;
  ntfyUrl: string | null;
}

const firstRetryMs = 30_000;
const maxRetryMs = hourMs;

/** Queues a message in the transaction of its reminder claim, for every subscribed browser and for the topic. */
export async function queueDeliveries(
  tx: Transaction,
  { userId, channels, now }: { userId: string; channels: readonly ReminderChannel[]; now: Date },
  message: Message,
): Promise<void> {
  const targets: Target[] = [];
  for (const channel of channels) targets.push(...(await targetsOf(tx, userId, channel, now)));
  if (targets.length === 0) return;
  const { title, body } = message;
  const expiresAt = new Date(Math.min(message.until, now.getTime() + dayMs));
  const shared = { userId, title, body, data: storedData(message), nextAt: now, expiresAt };
  await tx
    .insert(reminderDeliveries)
    .values(targets.map((target) => ({ ...shared, ...target, id: uuidv7() })));
}

interface Target {
  channel: ReminderChannel;
  /** The session of the subscribed browser. */
  sessionId: string | null;
}

async function targetsOf(
  tx: Transaction,
  userId: string,
  channel: ReminderChannel,
  now: Date,
): Promise<Target[]> {
  switch (channel) {
    case 'push': {
      const subscriptions = await liveSubscriptions(tx, userId, now);
      return subscriptions.map(({ sessionId }) => ({ channel, sessionId }));
    }
    case 'ntfy':
      return [{ channel, sessionId: null }];
    // Emails have a queue of their own.
    case 'mail':
      return [];
  }
}

/** Accounts with due deliveries, beginning with the one that has waited longest. */
export async function accountsToSend(
  { pool }: Database,
  now: Date,
  limit: number,
): Promise<string[]> {
  const { rows } = await pool.query<{ userId: string }>(
    `SELECT user_id AS "userId" FROM reminder_deliveries WHERE next_at <= $1 OR next_at > $2
      GROUP BY user_id ORDER BY min(next_at) LIMIT $3`,
    [now, latestNextAt(now), limit],
  );
  return rows.map(({ userId }) => userId);
}

/**
 * The latest time for which a retry can be planned. A later one was planned while the clock was wrong, so it is due
 * now.
 */
function latestNextAt(now: Date): Date {
  return new Date(now.getTime() + 2 * dayMs);
}

interface Row extends Omit<Delivery, 'message' | 'push'> {
  expiresAt: Date;
  title: string;
  body: string;
  data: string;
  sessionId: string | null;
  endpoint: string | null;
  p256dh: string | null;
  auth: string | null;
  account: string | null;
}

export interface ClaimedDeliveries {
  deliveries: Delivery[];
  /** Whether nothing was claimed, postponed or deleted: other processes have claimed what is due. */
  isIdle: boolean;
  /** The error of a message that cannot be read, for example one that a newer version queued. */
  failure: unknown;
}

/**
 * Claims up to `limit` of the account's due deliveries. The claim already schedules the next attempt: until then other
 * processes skip the delivery, and if this process dies while it sends, the delivery is sent again. In quiet hours
 * nothing is claimed: the deliveries are postponed until the quiet hours end. A delivery whose message cannot be read is
 * postponed like one that failed. Expired deliveries are deleted.
 */
export async function claimDeliveries(
  db: Database,
  { userId, now, limit }: { userId: string; now: Date; limit: number },
): Promise<ClaimedDeliveries> {
  return await transaction(db, async ({ $client }) => {
    const { rowCount: expired } = await $client.query(
      'DELETE FROM reminder_deliveries WHERE user_id = $1 AND expires_at <= $2',
      [userId, now],
    );
    const { rows } = await $client.query<Row>({
      name: 'due-deliveries',
      text: `SELECT d.user_id AS "userId", d.id, d.channel, d.attempts + 1 AS attempts,
          d.expires_at AS "expiresAt", d.title, d.body, d.data, d.session_id AS "sessionId",
          p.endpoint, p.p256dh, p.auth, p.account, s.ntfy_url AS "ntfyUrl"
        FROM reminder_deliveries d
        LEFT JOIN sessions open ON open.user_id = $1 AND open.id = d.session_id AND open.expires_at > $2
        LEFT JOIN push_subscriptions p ON p.user_id = $1 AND p.session_id = open.id
        LEFT JOIN reminder_settings s ON s.user_id = $1
        WHERE d.user_id = $1 AND (d.next_at <= $2 OR d.next_at > $3)
        ORDER BY d.next_at, d.id LIMIT $4 FOR UPDATE OF d SKIP LOCKED`,
      values: [userId, now, latestNextAt(now), limit],
    });
    const deliveries: Delivery[] = [];
    let failure: unknown = null;
    for (const row of rows) {
      let delivery: Delivery | null = null;
      try {
        delivery = deliveryOf(row);
      } catch (error) {
        failure = error;
      }
      const quietEnd = delivery && quietEndAt(delivery.message, now.getTime());
      const nextAt = Math.min(
        quietEnd ?? now.getTime() + retryDelayMs(row.attempts),
        // When it is deleted.
        row.expiresAt.getTime(),
      );
      await $client.query(
        'UPDATE reminder_deliveries SET next_at = $3, attempts = $4 WHERE user_id = $1 AND id = $2',
        [userId, row.id, new Date(nextAt), quietEnd === null ? row.attempts : row.attempts - 1],
      );
      if (delivery && quietEnd === null) deliveries.push(delivery);
    }
    return { deliveries, isIdle: expired === 0 && rows.length === 0, failure };
  });
}

/** Throws if the message cannot be read. */
function deliveryOf({ title, body, data, ...row }: Row): Delivery {
  const { expiresAt: _, sessionId, endpoint, p256dh, auth, account, ...shared } = row;
  const push =
    sessionId !== null && endpoint !== null && p256dh !== null && auth !== null && account !== null
      ? { sessionId, endpoint, p256dh, auth, account }
      : null;
  return { ...shared, push, message: messageOf({ title, body, data }) };
}

function quietEndAt({ quiet }: Message, now: number): number | null {
  return quiet && quiet[0] <= now && now < quiet[1] ? quiet[1] : null;
}

/**
 * How long to wait after an attempt. A claim is valid for this time, so it must be longer than the timeout of a
 * request.
 */
function retryDelayMs(attempts: number): number {
  return Math.min(firstRetryMs * 2 ** (attempts - 1), maxRetryMs);
}

/**
 * Deletes a delivery that is done. False if the claim is no longer valid: another process has claimed the delivery, or
 * it was deleted.
 */
export async function deleteDelivery(
  { pool }: Database,
  { userId, id, attempts }: Delivery,
): Promise<boolean> {
  const { rowCount } = await pool.query(
    'DELETE FROM reminder_deliveries WHERE user_id = $1 AND id = $2 AND attempts = $3',
    [userId, id, attempts],
  );
  return rowCount === 1;
}

/**
 * Has the problems of the alerts that were made at these times reported again, unless a channel has accepted the alert
 * or it still waits to be sent through one. Must run after a delivery or an email was deleted.
 */
export async function releaseUnsent(
  tx: Transaction,
  userId: string,
  madeAt: readonly Date[],
): Promise<void> {
  const unsent: Date[] = [];
  for (const at of madeAt) if (!(await isAlertWaiting(tx, userId, at))) unsent.push(at);
  await releaseAlerts(tx.$client, userId, unsent);
}

/** Whether an alert that was made at `madeAt` is still queued, as a delivery or as an email. */
async function isAlertWaiting(
  { $client }: Transaction,
  userId: string,
  madeAt: Date,
): Promise<boolean> {
  const { rowCount: waiting } = await $client.query(
    `SELECT FROM reminder_deliveries
      WHERE user_id = $1 AND data::json->>'kind' = 'alert' AND data::json->>'madeAt' = $2 LIMIT 1`,
    [userId, String(madeAt.getTime())],
  );
  if (waiting === 1) return true;
  const { rowCount: emails } = await $client.query(
    'SELECT FROM mail_outbox WHERE account_id = $1 AND created_at = $2 AND link NOT LIKE $3 LIMIT 1',
    [userId, madeAt, digestLinkPattern],
  );
  return emails === 1;
}

/**
 * Postpones the next attempt, if the service has asked for a longer pause than the planned one. False if the claim is no
 * longer valid.
 */
export async function postponeDelivery(
  { pool }: Database,
  { userId, id, attempts }: Delivery,
  until: Date,
): Promise<boolean> {
  const { rowCount } = await pool.query(
    `UPDATE reminder_deliveries SET next_at = least(greatest(next_at, $4), expires_at)
      WHERE user_id = $1 AND id = $2 AND attempts = $3`,
    [userId, id, attempts, until],
  );
  return rowCount === 1;
}

/**
 * Makes a delivery due now if the browser has renewed its subscription since the delivery was claimed, so that it is
 * sent to the new URL. False if the browser has not, or if the claim is no longer valid.
 */
export async function resendToRenewed(
  { pool }: Database,
  { userId, id, attempts, push }: Delivery,
  now: Date,
): Promise<boolean> {
  if (!push) return false;
  const { rowCount } = await pool.query(
    `UPDATE reminder_deliveries SET next_at = $4 WHERE user_id = $1 AND id = $2 AND attempts = $3
      AND EXISTS (SELECT FROM push_subscriptions p JOIN sessions s ON s.user_id = $1 AND s.id = p.session_id
        WHERE p.user_id = $1 AND p.session_id = $5 AND p.endpoint <> $6 AND s.expires_at > $4)`,
    [userId, id, attempts, now, push.sessionId, push.endpoint],
  );
  return rowCount === 1;
}
