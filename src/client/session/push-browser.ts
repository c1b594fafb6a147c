// The code for push messages that does not call Sprig's server. A browser has one subscription for all accounts.

/** The registration of the active service worker, which receives push messages; null while none is active. */
export async function pushRegistration(): Promise<ServiceWorkerRegistration | null> {
  const registration = await navigator.serviceWorker?.getRegistration();
  return registration?.active ? registration : null;
}

/** Whether the subscription was made with the server's key (base64url). With another key no message would arrive. */
export function hasPushKey(subscription: PushSubscription, key: string): boolean {
  const used = subscription.options.applicationServerKey;
  return used !== null && base64url(new Uint8Array(used)) === key.replace(/=+$/, '');
}

function base64url(bytes: Uint8Array): string {
  const text = btoa(String.fromCharCode(...bytes));
  return text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** Ends the browser's subscription and closes its notifications, since they name plants of the account. */
export async function dropPushSubscription(): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration();
  if (!registration) return;
  for (const notification of (await registration.getNotifications?.()) ?? []) notification.close();
  const subscription = await registration.pushManager?.getSubscription();
  await subscription?.unsubscribe();
}
