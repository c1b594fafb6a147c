import { renewSubscription } from '#client/sync/reminders/renew-subscription.ts';

declare const self: ServiceWorkerGlobalScope;

/**
 * Sends the browser's new subscription after it replaced the old one, or subscribes again after it dropped it. Some
 * browsers report neither; the next start of the app then renews the subscription, as it does after a failure here.
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
