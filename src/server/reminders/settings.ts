import { and, eq, inArray, like, notLike, sql } from 'drizzle-orm';
import {
  type ChannelState,
  type ReminderChannel,
  type ReminderSettingsPayload,
  type ReminderState,
  reminderChannels,
} from '#contract/settings/reminders.ts';
import { digestMoment, minuteOf, nextQuietHours, timeOfDay } from '#domain/reminder/times.ts';
import { dayIn } from '#domain/zone.ts';
import { lockAccount } from '../accounts/lock-account.ts';
import { zoneOfAccount } from '../accounts/time-zone.ts';
import type { Orm } from '../database/database.ts';
import type { Transaction } from '../database/transaction.ts';
import { mailOutbox } from '../mail/schema.ts';
import { forgetProblem } from './channels/channel-result.ts';
import { deleteAlertClaims } from './check/claims.ts';
import { releaseUnsent } from './deliveries.ts';
import { digestLinkPattern, digestPath, messageOf } from './message.ts';
import { reminderChannelStates, reminderDeliveries, reminderSettings } from './schema.ts';
import { liveSubscriptions } from './subscriptions.ts';

export type StoredSettings = typeof reminderSettings.$inferSelect;

/** The account's row, or the defaults. */
export async function readSettings(orm: Orm, userId: string): Promise<StoredSettings> {
  const [stored] = await orm
    .select()
    .from(reminderSettings)
    .where(eq(reminderSettings.userId, userId));
  return stored ?? defaultsOf(userId);
}

function defaultsOf(userId: string): StoredSettings {
  return {
    userId,
    digestEnabled: true,
    digestMinute: 9 * 60,
    alertsEnabled: true,
    quietFromMinute: 21 * 60,
    quietToMinute: 8 * 60,
    pushEnabled: false,
    mailEnabled: false,
    ntfyEnabled: false,
    ntfyUrl: null,
    digestFrom: null,
    nextAt: null,
  };
}

/** The channels that are on and have what they need; push may still have no subscription. */
export function channelsOf(settings: StoredSettings): ReminderChannel[] {
  const { pushEnabled, mailEnabled, ntfyEnabled, ntfyUrl } = settings;
  const isOn = { push: pushEnabled, mail: mailEnabled, ntfy: ntfyEnabled && ntfyUrl !== null };
  return reminderChannels.filter((channel) => isOn[channel]);
}

function sendsDigest(settings: StoredSettings): boolean {
  return settings.digestEnabled && channelsOf(settings).length > 0;
}

function sendsAlerts(settings: StoredSettings): boolean {
  return settings.alertsEnabled && channelsOf(settings).length > 0;
}

/**
 * Stores the changes, and deletes the waiting messages of channels and kinds that were turned off. An alert that
 * reached nobody is reported again once it can be sent, and so is every current problem when alerts are turned on.
 * Makes the account due, so that the job checks it and plans its next check, unless all channels or all kinds of
 * reminders are off.
 */
export async function changeSettings(
  tx: Transaction,
  { userId, now }: { userId: string; now: Date },
  payload: ReminderSettingsPayload,
): Promise<void> {
  await lockAccount(tx, userId);
  const before = await readSettings(tx, userId);
  const changed = { ...before, ...columnsOf(payload) };
  // The update leaves out user_id, because Citus allows no update of the distribution column.
  const { userId: _, ...settings } = changed;
  const columns = {
    ...settings,
    digestFrom: changesDigestTime(before, changed)
      ? await digestFromAfterChange(tx, before, now)
      : before.digestFrom,
    nextAt: sendsDigest(changed) || sendsAlerts(changed) ? now : null,
  };
  await tx
    .insert(reminderSettings)
    .values({ userId, ...columns })
    .onConflictDoUpdate({ target: reminderSettings.userId, set: columns });
  const stillOn = channelsOf(changed);
  const turnedOff = channelsOf(before).filter((channel) => !stillOn.includes(channel));
  const unsent = await deleteWaiting(tx, userId, turnedOff);
  await releaseUnsent(tx, userId, unsent);
  if (before.digestEnabled && !changed.digestEnabled) {
    await deleteWaiting(tx, userId, reminderChannels, 'digest');
  }
  if (before.alertsEnabled && !changed.alertsEnabled) {
    await deleteWaiting(tx, userId, reminderChannels, 'alert');
  }
  // A problem that was reported may have ended and occurred again meanwhile.
  if (sendsAlerts(changed) && !sendsAlerts(before)) await deleteAlertClaims(tx.$client, userId);
  if (changesQuietHours(before, changed)) await moveQuietHours(tx, { userId, now });
  if (changed.ntfyUrl !== before.ntfyUrl) {
    await forgetProblem(tx.$client, userId, 'ntfy');
    const { userId: owner, channel } = reminderDeliveries;
    // What the earlier topic did not accept is sent to the new one at once.
    await tx
      .update(reminderDeliveries)
      .set({ nextAt: now })
      .where(and(eq(owner, userId), eq(channel, 'ntfy')));
  }
}

/** Redirects the waiting reminder emails to the account's new address, because a stranger may own the old one. */
export async function changeReminderEmail(
  tx: Transaction,
  userId: string,
  email: string,
): Promise<void> {
  await tx.update(mailOutbox).set({ recipient: email }).where(eq(mailOutbox.accountId, userId));
  await forgetProblem(tx.$client, userId, 'mail');
}

/**
 * Deletes the messages that wait to be sent through these channels, or only those of a kind, because the person has
 * turned them off. Resolves to the times of the checks that made the deleted alerts.
 */
async function deleteWaiting(
  tx: Transaction,
  userId: string,
  channels: readonly ReminderChannel[],
  kind?: 'digest' | 'alert',
): Promise<Date[]> {
  if (channels.length === 0) return [];
  const { userId: owner, channel, title, body, data } = reminderDeliveries;
  const isKind = kind && sql`${data}::json->>'kind' = ${kind}`;
  const deleted = await tx
    .delete(reminderDeliveries)
    .where(and(eq(owner, userId), inArray(channel, [...channels]), isKind))
    .returning({ title, body, data });
  const alerts = deleted.map(messageOf).filter((message) => message.kind === 'alert');
  const times = alerts.flatMap(({ madeAt }) => (madeAt === undefined ? [] : new Date(madeAt)));
  if (!channels.includes('mail')) return times;
  // Only emails with reminders have an account id.
  const { accountId, link, createdAt } = mailOutbox;
  const hasLink = kind && (kind === 'digest' ? like : notLike)(link, digestLinkPattern);
  const emails = await tx
    .delete(mailOutbox)
    .where(and(eq(accountId, userId), hasLink))
    .returning({ link, createdAt });
  const ofAlerts = emails.filter((email) => !email.link.endsWith(digestPath));
  return [...times, ...ofAlerts.map((email) => email.createdAt)];
}

/**
 * `digestFrom` after a change of the digest's time. A digest that was due before the change is not sent: after a change
 * at 2 PM nobody expects the digest of 9 AM. But one that was still to come today is sent, even if its new time has
 * passed.
 */
async function digestFromAfterChange(
  tx: Transaction,
  before: StoredSettings,
  now: Date,
): Promise<Date | null> {
  const zone = await zoneOfAccount(tx, before.userId);
  const at = now.getTime();
  const isToCome = digestMoment({ zone, ...before }, dayIn(zone, at)) > at;
  return sendsDigest(before) && isToCome ? null : now;
}

/** Whether the digest was turned on, or its time or the quiet hours changed. */
function changesDigestTime(before: StoredSettings, after: StoredSettings): boolean {
  return (
    (sendsDigest(after) && !sendsDigest(before)) ||
    after.digestMinute !== before.digestMinute ||
    changesQuietHours(before, after)
  );
}

function changesQuietHours(before: StoredSettings, after: StoredSettings): boolean {
  return (
    after.quietFromMinute !== before.quietFromMinute || after.quietToMinute !== before.quietToMinute
  );
}

/**
 * Stores the next quiet hours in the messages that wait, after a change of these hours or of the time zone. Messages
 * that were postponed because it was quiet are due now; if it is still quiet, they are postponed again.
 */
async function moveQuietHours(
  tx: Transaction,
  { userId, now }: { userId: string; now: Date },
): Promise<void> {
  const zone = await zoneOfAccount(tx, userId);
  const quiet = nextQuietHours({ zone, ...(await readSettings(tx, userId)) }, now.getTime());
  const { userId: owner, data, nextAt, expiresAt } = reminderDeliveries;
  const before = sql`${data}::json->'quiet'`;
  const isPostponed = sql`(${before}->>0)::bigint <= ${now.getTime()}
    AND ${nextAt} = least(to_timestamp((${before}->>1)::bigint / 1000.0), ${expiresAt})`;
  await tx
    .update(reminderDeliveries)
    .set({
      data: sql`jsonb_set(${data}::jsonb, '{quiet}', ${JSON.stringify(quiet)}::jsonb)::text`,
      nextAt: sql`CASE WHEN ${isPostponed} THEN ${now.toISOString()}::timestamptz ELSE ${nextAt} END`,
    })
    .where(eq(owner, userId));
  const [quietFrom, quietTo] = quiet?.map((moment) => new Date(moment)) ?? [null, null];
  await tx.update(mailOutbox).set({ quietFrom, quietTo }).where(eq(mailOutbox.accountId, userId));
}

function columnsOf(payload: ReminderSettingsPayload): Partial<StoredSettings> {
  const { digest_time, quiet_from, quiet_to } = payload;
  const columns = {
    digestEnabled: payload.digest_enabled,
    digestMinute: digest_time && minuteOf(digest_time),
    alertsEnabled: payload.alerts_enabled,
    quietFromMinute: quiet_from && minuteOf(quiet_from),
    quietToMinute: quiet_to && minuteOf(quiet_to),
    pushEnabled: payload.push_enabled,
    mailEnabled: payload.mail_enabled,
    ntfyEnabled: payload.ntfy_enabled,
    ntfyUrl: payload.ntfy_url,
  } satisfies Record<Exclude<keyof StoredSettings, 'userId' | 'digestFrom' | 'nextAt'>, unknown>;
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined));
}

/**
 * Must run in the transaction that changes the account's time zone. Makes the account due if it has a planned check, so
 * that the job plans that check again. Stores the new quiet hours in the messages that wait. If the digest's time has
 * passed in the new zone and the digest was not sent on this day, it is sent at once, or after the quiet hours.
 */
export async function rescheduleReminders(
  tx: Transaction,
  { userId, now }: { userId: string; now: Date },
): Promise<void> {
  await tx.$client.query(
    'UPDATE reminder_settings SET next_at = $2 WHERE user_id = $1 AND next_at IS NOT NULL',
    [userId, now],
  );
  await moveQuietHours(tx, { userId, now });
}

/** The settings with the state of every channel, as the client of this session sees them. */
export async function readState(
  orm: Orm,
  { userId, sessionId, now }: { userId: string; sessionId: string; now: Date },
  { pushKey, mailToFiles }: { pushKey: string; mailToFiles: boolean },
): Promise<ReminderState> {
  const settings = await readSettings(orm, userId);
  const states = await orm
    .select()
    .from(reminderChannelStates)
    .where(eq(reminderChannelStates.userId, userId));
  const stateOf = (name: ReminderChannel): ChannelState => {
    const state = states.find(({ channel }) => channel === name);
    return {
      accepted_at: state?.acceptedAt?.toISOString() ?? null,
      problem: state?.problem ?? null,
    };
  };
  const subscriptions = await liveSubscriptions(orm, userId, now);
  return {
    digest_enabled: settings.digestEnabled,
    digest_time: timeOfDay(settings.digestMinute),
    alerts_enabled: settings.alertsEnabled,
    quiet_from: timeOfDay(settings.quietFromMinute),
    quiet_to: timeOfDay(settings.quietToMinute),
    push_enabled: settings.pushEnabled,
    mail_enabled: settings.mailEnabled,
    ntfy_enabled: settings.ntfyEnabled,
    ntfy_url: settings.ntfyUrl,
    push_key: pushKey,
    push_subscriptions: subscriptions.length,
    push_subscribed: subscriptions.some((subscription) => subscription.sessionId === sessionId),
    mail_to_files: mailToFiles,
    channels: { push: stateOf('push'), mail: stateOf('mail'), ntfy: stateOf('ntfy') },
  };
}
