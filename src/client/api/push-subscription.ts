import {
  deletePushSubscriptionRequest,
  type PushSubscriptionPayload,
  putPushSubscriptionRequest,
  reminderSettingsRequest,
  reminderStateSchema,
} from '#contract/settings/reminders.ts';
import { anyJson, sendRequest } from './http.ts';
import type { RequestOptions } from './send.ts';

/** What the server knows about push messages to this browser. */
export interface PushState {
  /** The server's public key for subscriptions, base64url. */
  key: string;
  /** Whether this session is subscribed; null if the server is older and does not say so. */
  isSubscribed: boolean | null;
}

/** Throws ApiError. */
export async function fetchPushState(call: RequestOptions): Promise<PushState> {
  const fallback = 'Failed to load reminders';
  const state = await sendRequest(reminderSettingsRequest(), call, reminderStateSchema, {
    fallback,
  });
  return { key: state.push_key, isSubscribed: state.push_subscribed ?? null };
}

/** Stores the subscription for the token's session, in place of an earlier one. Throws ApiError. */
export async function putPushSubscription(
  payload: PushSubscriptionPayload,
  call: RequestOptions,
): Promise<void> {
  await sendRequest(putPushSubscriptionRequest(payload), call, anyJson, {
    fallback: 'Failed to turn on reminders on this device',
  });
}

/** Deletes the subscription of the token's session. Throws ApiError. */
export async function deletePushSubscription(call: RequestOptions): Promise<void> {
  await sendRequest(deletePushSubscriptionRequest(), call, anyJson, {
    fallback: 'Failed to turn off reminders on this device',
  });
}

/**
 * `account`: the name of the account's device database; `before`: the endpoint of the subscription that this browser had
 * before, or null.
 */
export function pushSubscriptionPayload(
  subscription: PushSubscription,
  { account, before }: { account: string; before: string | null },
): PushSubscriptionPayload {
  const { endpoint } = subscription;
  const replaces = before !== null && before !== endpoint ? { replaces: before } : {};
  const { p256dh = '', auth = '' } = subscription.toJSON().keys ?? {};
  return { endpoint, keys: { p256dh, auth }, account, ...replaces };
}
