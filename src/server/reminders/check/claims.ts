import type pg from 'pg';
import { type Alert, alertKey, noRepeatMs } from '#domain/reminder/alerts.ts';
import { dayMs } from '#domain/time.ts';
import { dateOfDay } from '#domain/zone.ts';
import type { Queryable } from '../../database/transaction.ts';

interface Owner {
  userId: string;
  now: Date;
}

/** How long the claims of digests are kept. Only that of the current day is needed. */
const keptDigestsMs = 7 * dayMs;

/**
 * Claims the digest of a day that began at `since`. False if a digest was claimed since then, also under another date,
 * which it had in an earlier time zone of the account. Deletes old claims, and those that were made while the clock was
 * more than a day ahead. A claim of this day from before `since` was made in an earlier time zone too, and is deleted.
 * The transaction must hold the lock of the account's settings.
 */
export async function claimDigest(
  client: pg.ClientBase,
  { userId, now }: Owner,
  { day, since }: { day: number; since: Date },
): Promise<boolean> {
  const key = `digest:${dateOfDay(day)}`;
  await client.query(
    `DELETE FROM notices WHERE user_id = $1 AND kind = 'digest' AND (created_at < $2 OR created_at > $3)`,
    [userId, new Date(now.getTime() - keptDigestsMs), new Date(now.getTime() + dayMs)],
  );
  const { rowCount: today } = await client.query(
    `SELECT FROM notices WHERE user_id = $1 AND kind = 'digest' AND created_at BETWEEN $2 AND $3 LIMIT 1`,
    [userId, since, now],
  );
  if (today !== 0) return false;
  await client.query('DELETE FROM notices WHERE user_id = $1 AND key = $2 AND created_at < $3', [
    userId,
    key,
    since,
  ]);
  const { rowCount } = await client.query(
    `INSERT INTO notices (user_id, key, kind, created_at) VALUES ($1, $2, 'digest', $3) ON CONFLICT DO NOTHING`,
    [userId, key, now],
  );
  return rowCount === 1;
}

/** How long sending an alert is retried while no channel accepts it. */
export const alertLifetimeMs = dayMs;

interface Problems {
  current: readonly Alert[];
  /** Those of the current problems that may be reported now. */
  reportable: readonly Alert[];
}

/**
 * Claims and returns the problems that are new and may be reported. A current problem that may not be reported now
 * keeps its claim; otherwise it would be reported a second time. Deletes the claims of problems that are over, but none
 * before the `noRepeatMs` of its type have passed, unless it was made while the clock was ahead. Deletes claims about
 * automatic watering that were made before it was last unlocked, and those about a pump that has worked since the failure
 * that was claimed, because the problem ended and occurred again since then: nothing is checked in the quiet hours.
 * Deletes claims whose messages have expired without being accepted, so that the problem is reported again.
 */
export async function claimAlerts(
  client: pg.ClientBase,
  { userId, now }: Owner,
  { current, reportable }: Problems,
): Promise<Alert[]> {
  /** By type: claims from before this time (s) may be deleted. */
  const deletableUntil = Object.fromEntries(
    Object.entries(noRepeatMs).map(([type, ms]) => [type, (now.getTime() - ms) / 1000]),
  );
  // On a Citus cluster a DELETE may apply only immutable functions to columns: to_timestamp() is one, a difference of a
  // time and an interval is not.
  await client.query(
    `DELETE FROM notices WHERE user_id = $1 AND kind = 'alert' AND (
      (NOT key = ANY ($2) AND (created_at > $4 OR created_at <= to_timestamp(
        coalesce(($3::json ->> split_part(key, ':', 1))::float8, 'infinity'))))
      OR (accepted_at IS NULL AND created_at <= $5))`,
    [
      userId,
      current.map(alertKey),
      JSON.stringify(deletableUntil),
      now,
      new Date(now.getTime() - alertLifetimeMs),
    ],
  );
  if (current.length === 0) return [];
  await client.query(
    `DELETE FROM notices n USING plants p WHERE n.user_id = $1 AND p.user_id = $1 AND p.id = n.plant_id
      AND (n.key LIKE 'locked:%' OR n.key LIKE 'pump_failed:%') AND n.created_at < p.auto_watering_since`,
    [userId],
  );
  // By the order in which the commands were issued, because the result of one from before the failure may arrive late.
  await client.query(
    `DELETE FROM notices n WHERE n.user_id = $1 AND n.key LIKE 'pump_failed:%' AND EXISTS (
      SELECT FROM watering_commands done
      WHERE done.user_id = $1 AND done.plant_id = n.plant_id AND done.status = 'done' AND done.issued_at > (
        SELECT max(claimed.issued_at) FROM watering_commands claimed
        WHERE claimed.user_id = $1 AND claimed.plant_id = n.plant_id AND claimed.status = 'failed'
          AND claimed.reported_at <= n.created_at))`,
    [userId],
  );
  if (reportable.length === 0) return [];
  const { rows } = await client.query<{ key: string }>(
    `INSERT INTO notices (user_id, key, kind, plant_id, created_at)
      SELECT $1, key, 'alert', plant_id, $4 FROM unnest($2::text[], $3::uuid[]) AS new (key, plant_id)
      ON CONFLICT DO NOTHING RETURNING key`,
    [userId, reportable.map(alertKey), reportable.map(({ plant }) => plant.id), now],
  );
  const claimed = new Set(rows.map(({ key }) => key));
  return reportable.filter((alert) => claimed.has(alertKey(alert)));
}

/** Stores that a channel has accepted the message about the problems that were claimed at this time. */
export async function markAccepted(
  db: Queryable,
  userId: string,
  { madeAt, now }: { madeAt: Date; now: Date },
): Promise<void> {
  await db.query({
    name: 'mark-accepted',
    text: `UPDATE notices SET accepted_at = $3
      WHERE user_id = $1 AND kind = 'alert' AND created_at = $2 AND accepted_at IS NULL`,
    values: [userId, madeAt, now],
  });
}

/**
 * Deletes the claims that were made at these times, so that their problems are reported again, unless a channel has
 * accepted the message.
 */
export async function releaseAlerts(
  client: pg.ClientBase,
  userId: string,
  madeAt: readonly Date[],
): Promise<void> {
  if (madeAt.length === 0) return;
  await client.query(
    `DELETE FROM notices WHERE user_id = $1 AND kind = 'alert' AND created_at = ANY ($2::timestamptz[])
      AND accepted_at IS NULL`,
    [userId, madeAt],
  );
}

/** Deletes the claims of all alerts of an account, so that its current problems are reported again. */
export async function deleteAlertClaims(client: pg.ClientBase, userId: string): Promise<void> {
  await client.query("DELETE FROM notices WHERE user_id = $1 AND kind = 'alert'", [userId]);
}
