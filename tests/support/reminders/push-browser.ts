import { createECDH, randomBytes } from 'node:crypto';
import type { PushSubscriptionPayload } from '#contract/settings/reminders.ts';

/** A subscribed browser: the payload of its subscription, and the keys that decrypt its messages. */
export interface PushBrowser {
  subscription: PushSubscriptionPayload;
  keys: ReturnType<typeof createECDH>;
  auth: Buffer;
}

export function pushBrowser(
  endpoint = 'https://fcm.googleapis.com/fcm/send/one',
  account = 'garden',
): PushBrowser {
  const keys = createECDH('prime256v1');
  const p256dh = keys.generateKeys('base64url');
  const auth = randomBytes(16);
  const subscription = {
    endpoint,
    keys: { p256dh, auth: auth.toString('base64url') },
    account,
  };
  return { subscription, keys, auth };
}
