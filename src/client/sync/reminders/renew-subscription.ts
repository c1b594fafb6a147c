import {
  deletePushSubscription,
  pushSubscriptionPayload,
  putPushSubscription,
} from '#client/api/push-subscription.ts';
import { readPushEndpoint, storePushEndpoint } from '#client/store/meta.ts';
import { withPushLock } from '#client/store/push-lock.ts';
import type { DeviceDb } from '#client/store/schema.ts';
import { accountDbNames, withAccountDb } from '../background/account-db.ts';
import { readBackgroundToken } from '../background/background.ts';

/**
 * Sends the browser's new subscription for the account that made the earlier one, whose endpoint is `oldEndpoint`. If
 * the browser does not report it (null), sends the new one for every account with a subscription on this device.
 * Without an account's token nothing is sent for it, and the app renews the subscription when it starts, as after a
 * failure. `current` gets the new subscription, or null; it is called once no page renews the subscription any more.
 */
export function renewSubscription(
  oldEndpoint: string | null,
  current: () => Promise<PushSubscription | null>,
): Promise<void> {
  return withPushLock(async () => {
    const subscription = await current();
    if (subscription) await sendSubscription(oldEndpoint, subscription);
  });
}

async function sendSubscription(
  oldEndpoint: string | null,
  subscription: PushSubscription,
): Promise<void> {
  const send = async (db: DeviceDb) => {
    const endpoint = await readPushEndpoint(db);
    const token = await readBackgroundToken(db);
    if (endpoint === null || token === null) return;
    if (oldEndpoint !== null && oldEndpoint !== endpoint) return;
    const payload = pushSubscriptionPayload(subscription, { account: db.name, before: endpoint });
    await putPushSubscription(payload, { token });
    if ((await readPushEndpoint(db)) !== null) {
      await storePushEndpoint(db, subscription.endpoint);
      return;
    }
    // The person has turned the reminders on this device off meanwhile.
    await subscription.unsubscribe();
    await deletePushSubscription({ token });
  };
  for (const name of await accountDbNames()) {
    // The others are renewed all the same.
    await withAccountDb(name, send).catch((error: unknown) => {
      console.warn('A push subscription was not renewed:', error);
    });
  }
}
