import { renewSubscription } from '#client/sync/reminders/renew-subscription.ts';

declare const self: ServiceWorkerGlobalScope;

/**
 * The browser has replaced its subscription, or dropped it: then it is asked for a new one. Some browsers say neither;
 * the next start of the app renews the subscription, also after a failure here.
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
