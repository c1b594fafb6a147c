import {
  deletePushSubscriptionRequest,
  type PushSubscriptionPayload,
  putPushSubscriptionRequest,
  reminderSettingsRequest,
  reminderStateSchema,
} from '#contract/settings/reminders.ts';
import { anyJson, sendRequest } from './http.ts';
import type { RequestOptions } from './send.ts';

/** The server's public key for push subscriptions, in base64url. Throws ApiError. */
export async function fetchPushKey(call: RequestOptions): Promise<string> {
  const fallback = 'Failed to load reminders';
  const state = await sendRequest(reminderSettingsRequest(), call, reminderStateSchema, {
    fallback,
  });
  return state.push_key;
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

/** `account`: the name of the account's device database. */
export function pushSubscriptionPayload(
  subscription: PushSubscription,
  account: string,
): PushSubscriptionPayload {
  const { p256dh = '', auth = '' } = subscription.toJSON().keys ?? {};
  return { endpoint: subscription.endpoint, keys: { p256dh, auth }, account };
}
