import { and, eq, gt, lte, or } from 'drizzle-orm';
import { uuidv7 } from 'uuidv7';
import type { ReminderChannel } from '#contract/settings/reminders.ts';
import { type Alert, alertsOf, alertTexts } from '#domain/reminder/alerts.ts';
import { type Digest, digestOf } from '#domain/reminder/digest.ts';
import {
  alertPauseMs,
  dueDigest,
  endOfDay,
  isQuiet,
  nextCheck,
  nextQuietHours,
  type ReminderTimes,
  startOfDay,
} from '#domain/reminder/times.ts';
import { dayMs, hourMs } from '#domain/time.ts';
import { dateOfDay } from '#domain/zone.ts';
import { zoneNamed } from '../../accounts/time-zone.ts';
import type { Transaction } from '../../database/transaction.ts';
import { queueDeliveries } from '../deliveries.ts';
import { digestPath, type Message } from '../message.ts';
import { reminderSettings } from '../schema.ts';
import { channelsOf, type StoredSettings } from '../settings.ts';
import { countSubscriptions } from '../subscriptions.ts';
import { alertLifetimeMs, claimAlerts, claimDigest } from './claims.ts';
import { type EmailOptions, queueAlertEmail, queueDigestEmail } from './emails.ts';
import { type GardenPlant, readGarden } from './garden.ts';

/**
 * Pause between checks of a garden without sensors. Once it gets its first sensor, checks for alerts begin after at
 * most this time.
 */
const noDevicesPauseMs = 6 * hourMs;

export interface CheckOptions extends EmailOptions {
  /** Whether silent sensors are reported. False just after a start, when devices still send their stored readings. */
  reportsSilence: boolean;
}

interface Account {
  settings: StoredSettings;
  times: ReminderTimes;
  channels: ReminderChannel[];
  email: string;
}

/**
 * Checks one account in its own transaction: claims the due digest and new problems, queues their messages and sets the
 * next check. Claims and messages are committed together, so that each message is queued exactly once. Resolves to
 * whether there was a digest or an alert; null if the account is no longer due or another process checks it.
 */
export async function checkAccount(
  tx: Transaction,
  userId: string,
  options: CheckOptions,
): Promise<boolean | null> {
  const account = await lockDueAccount(tx, userId, options.now);
  if (!account) return null;
  const { settings, times, channels } = account;
  const { now } = options;
  const at = now.getTime();
  const owner = { userId, now };
  const isOn = channels.length > 0;
  const day =
    isOn && settings.digestEnabled
      ? dueDigest(times, settings.digestFrom?.getTime() ?? null, at)
      : null;
  const hasDigest =
    day !== null &&
    (await claimDigest(tx.$client, owner, { day, since: new Date(startOfDay(times.zone, at)) }));
  const hasAlerts = isOn && settings.alertsEnabled && !isQuiet(times, at);
  const plants = hasDigest || hasAlerts ? await readGarden(tx.$client, userId) : [];
  const digest = hasDigest ? digestOf(plants, times.zone, at) : null;
  // While no channel of the account has a recipient, new problems are not claimed, so that they are reported later.
  const isReachable = hasAlerts && (await hasTarget(tx, userId, channels, now));
  const alerts = hasAlerts
    ? await claimAlerts(tx.$client, owner, problemsOf(plants, options, isReachable))
    : [];
  if (digest && day !== null) await queueDigest(tx, account, options, { ...digest, day });
  if (alerts.length > 0) await queueAlerts(tx, account, options, alerts, plants);
  const hasDevices = plants.some((plant) => plant.hasDevice || plant.lastReadingAt !== null);
  const checks = {
    digest: isOn && settings.digestEnabled,
    alertsEveryMs:
      isOn && settings.alertsEnabled ? (hasDevices ? alertPauseMs : noDevicesPauseMs) : null,
  };
  const next = nextCheck(times, checks, at);
  await tx.$client.query('UPDATE reminder_settings SET next_at = $2 WHERE user_id = $1', [
    userId,
    next === null ? null : new Date(next),
  ]);
  return digest !== null || alerts.length > 0;
}

/**
 * Longer than any pause between two checks. A check that is planned farther ahead was set while the clock was wrong.
 */
export const maxPauseMs = 3 * dayMs;

async function lockDueAccount(tx: Transaction, userId: string, now: Date): Promise<Account | null> {
  // Locks the account, so that its email address does not change while a message is queued. Otherwise the message would
  // be sent to the old address. Locks it before the settings, in the same order as other transactions.
  const { rows: users } = await tx.$client.query<{ email: string; zone: string | null }>({
    name: 'reminded-account',
    text: 'SELECT email, time_zone AS zone FROM users WHERE id = $1 FOR SHARE',
    values: [userId],
  });
  const [user] = users;
  if (!user) return null;
  const { nextAt } = reminderSettings;
  const latest = new Date(now.getTime() + maxPauseMs);
  const [settings] = await tx
    .select()
    .from(reminderSettings)
    .where(and(eq(reminderSettings.userId, userId), or(lte(nextAt, now), gt(nextAt, latest))))
    .for('update', { skipLocked: true })
    .prepare('lock-due-settings')
    .execute();
  if (!settings) return null;
  const { digestMinute, quietFromMinute, quietToMinute } = settings;
  const zone = zoneNamed(user.zone);
  const times = { zone, digestMinute, quietFromMinute, quietToMinute };
  return { settings, times, channels: channelsOf(settings), email: user.email };
}

/** Whether a message would be sent to anybody: push may be on while no browser is subscribed. */
async function hasTarget(
  tx: Transaction,
  userId: string,
  channels: readonly ReminderChannel[],
  now: Date,
): Promise<boolean> {
  if (channels.some((channel) => channel !== 'push')) return true;
  return (await countSubscriptions(tx, userId, now)) > 0;
}

function problemsOf(
  plants: readonly GardenPlant[],
  { now, reportsSilence }: CheckOptions,
  isReachable: boolean,
) {
  const current = plants.flatMap((plant) => alertsOf(plant, now.getTime()));
  const reportable = current.filter(
    ({ type }) => isReachable && (type !== 'silent' || reportsSilence),
  );
  return { current, reportable };
}

async function queueDigest(
  tx: Transaction,
  { settings: { userId }, times, channels, email }: Account,
  options: CheckOptions,
  digest: Digest & { day: number },
): Promise<void> {
  const at = options.now.getTime();
  const until = endOfDay(times.zone, at);
  const message: Message = {
    kind: 'digest',
    title: digest.title,
    body: digest.body,
    tag: `due-${dateOfDay(digest.day)}`,
    path: digestPath,
    badge: digest.dueCount,
    plants: digest.plants,
    soonCount: digest.plants.length - digest.dueCount,
    madeAt: at,
    until,
    quiet: nextQuietHours(times, at),
  };
  await queueDeliveries(tx, { userId, channels, now: options.now }, message);
  if (!channels.includes('mail')) return;
  const { quiet } = message;
  // Not sent once the quiet hours begin: what is still due when they end is in the next digest.
  const lastMoment = new Date(Math.min(until, quiet?.[0] ?? until));
  await queueDigestEmail(tx, { userId, email, quiet, digest, until: lastMoment }, options);
}

async function queueAlerts(
  tx: Transaction,
  { settings: { userId }, times, channels, email }: Account,
  options: CheckOptions,
  alerts: readonly Alert[],
  plants: readonly GardenPlant[],
): Promise<void> {
  const { now } = options;
  const at = now.getTime();
  const affected = [...new Map(alerts.map(({ plant }) => [plant.id, plant])).values()];
  const [one] = affected;
  const message: Message = {
    ...alertTexts(alerts),
    kind: 'alert',
    tag: `alert-${uuidv7()}`,
    path: one && affected.length === 1 ? `/dashboard/plants?plant=${one.id}` : '/dashboard/plants',
    badge: digestOf(plants, times.zone, at)?.dueCount ?? 0,
    plants: affected,
    madeAt: at,
    until: at + alertLifetimeMs,
    quiet: nextQuietHours(times, at),
  };
  await queueDeliveries(tx, { userId, channels, now }, message);
  if (!channels.includes('mail')) return;
  const { path, quiet } = message;
  await queueAlertEmail(tx, { userId, email, quiet, alerts, path }, options);
}
