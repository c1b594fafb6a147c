import {
  type DeviceNotice,
  deviceNotice,
  isForThisDevice,
} from '#client/sync/reminders/device-notice.ts';
import { type Notice, readNotice, withoutNames } from '#client/sync/reminders/notice.ts';
import { renewSubscription } from '#client/sync/reminders/renew-subscription.ts';
import { showNotice, writeBadge } from './notification.ts';

declare const self: ServiceWorkerGlobalScope;

/** Maximum time to read the database, which may be blocked. The notification must be shown soon in any case. */
const maxReadMs = 2_000;

/** Always shows a notification, because browsers withdraw the permission after a push without one. Sends no request. */
export async function onPush(payload: string | null): Promise<void> {
  const shown = await forThisDevice(readNotice(payload));
  await Promise.all([showNotice(shown), writeBadge(shown.notice.badge)]);
}

async function forThisDevice(notice: Notice): Promise<DeviceNotice> {
  // What is shown if the device's database fails, or does not respond in time.
  let fallback: DeviceNotice = { notice: withoutNames(notice), canWater: false };
  const read = async () => {
    if (!(await isForThisDevice(notice))) return fallback;
    fallback = { notice, canWater: false };
    return await deviceNotice(notice, Date.now());
  };
  const late = new Promise<DeviceNotice>((resolve) => {
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
  const key = old?.options.applicationServerKey;
  const options = key && { userVisibleOnly: true, applicationServerKey: key };
  const subscription =
    newSubscription ?? (options && (await self.registration.pushManager.subscribe(options)));
  if (subscription) await renewSubscription(old?.endpoint ?? null, subscription);
}
