import {
  type DeviceReminder,
  deviceReminder,
  isForThisDevice,
} from '#client/sync/reminders/device-reminder.ts';
import { type Reminder, readReminder, withoutNames } from '#client/sync/reminders/reminder.ts';
import { renewSubscription } from '#client/sync/reminders/renew-subscription.ts';
import { showReminder, writeBadge } from './notification.ts';

declare const self: ServiceWorkerGlobalScope;

/** Maximum time to read the database, which may be blocked. The notification must be shown soon in any case. */
const maxReadMs = 2_000;

/** Always shows a notification, because browsers withdraw the permission after a push without one. Sends no request. */
export async function onPush(payload: string | null): Promise<void> {
  const shown = await forThisDevice(readReminder(payload));
  await Promise.all([showReminder(shown), writeBadge(shown.reminder.badge)]);
}

async function forThisDevice(reminder: Reminder): Promise<DeviceReminder> {
  // What is shown if the device's database fails, or does not respond in time.
  let fallback: DeviceReminder = { reminder: withoutNames(reminder), canWater: false };
  const read = async () => {
    if (!(await isForThisDevice(reminder))) return fallback;
    fallback = { reminder, canWater: false };
    return await deviceReminder(reminder, Date.now());
  };
  const late = new Promise<DeviceReminder>((resolve) => {
    setTimeout(() => resolve(fallback), maxReadMs);
  });
  const known = read().catch((error: unknown) => {
    console.warn('The device database could not be read:', error);
    return fallback;
  });
  return Promise.race([known, late]);
}

/**
 * If the browser has replaced the subscription, sends the new one to the server; if the browser has dropped it,
 * subscribes again first. Some browsers fire no event for either; the next start of the app then renews the
 * subscription, as it does after a failure here.
 */
export async function onSubscriptionChange({
  oldSubscription: old,
  newSubscription,
}: PushSubscriptionChangeEvent): Promise<void> {
  const { pushManager } = self.registration;
  const key = old?.options.applicationServerKey;
  const options = key && { userVisibleOnly: true, applicationServerKey: key };
  await renewSubscription(old?.endpoint ?? null, async () => {
    // A page may have replaced `newSubscription` meanwhile.
    const existing = (await pushManager.getSubscription()) ?? newSubscription;
    return existing ?? (options ? pushManager.subscribe(options) : null);
  });
}
