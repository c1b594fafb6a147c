import * as v from 'valibot';
import { ntfyTopicPattern, ntfyTopicProblem } from '#domain/reminder/ntfy-topic.ts';
import type { MessageResponse } from '../plants.ts';
import { type ApiRequest, request } from '../request.ts';

export const reminderPaths = {
  settings: '/api/reminders',
  test: '/api/reminders/test',
  /** One-click unsubscribe from all reminder emails (RFC 8058); needs no session. */
  unsubscribe: '/api/reminders/unsubscribe',
  pushSubscription: '/api/push-subscription',
} as const;

export const reminderChannels = ['push', 'mail', 'ntfy'] as const;

export type ReminderChannel = (typeof reminderChannels)[number];

/** A time of day in the account's time zone, 'HH:MM', 24 hours. */
const timeOfDay = v.pipe(
  v.string(),
  v.regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Please enter a time like 09:00'),
);

export interface ReminderSettings {
  digest_enabled: boolean;
  /** 'HH:MM' in the account's time zone, like all times here. */
  digest_time: string;
  alerts_enabled: boolean;
  /** Start of the quiet hours, in which nothing is sent. If it equals the end, there are none. */
  quiet_from: string;
  quiet_to: string;
  push_enabled: boolean;
  mail_enabled: boolean;
  ntfy_enabled: boolean;
  /** The URL of an ntfy topic; null for none. */
  ntfy_url: string | null;
}

/** The payload of PATCH: the settings to change. */
export type ReminderSettingsPayload = {
  [Name in keyof ReminderSettings]?: ReminderSettings[Name] | undefined;
};

const entries = {
  digest_enabled: v.boolean(),
  digest_time: timeOfDay,
  alerts_enabled: v.boolean(),
  quiet_from: timeOfDay,
  quiet_to: timeOfDay,
  push_enabled: v.boolean(),
  mail_enabled: v.boolean(),
  ntfy_enabled: v.boolean(),
  ntfy_url: v.nullable(
    v.pipe(v.string(), v.trim(), v.maxLength(500), v.regex(ntfyTopicPattern, ntfyTopicProblem)),
  ),
};

export const reminderSettingsPayloadSchema: v.GenericSchema<unknown, ReminderSettingsPayload> =
  v.partial(v.object(entries));

/** The result of a channel's last messages. */
export interface ChannelState {
  /** When the service last accepted a message, ISO 8601 UTC; null: never. */
  accepted_at: string | null;
  /** Why the last message to the present target was not accepted, in words; otherwise null. */
  problem: string | null;
}

export interface ReminderState extends ReminderSettings {
  /** The public VAPID key, with which browsers subscribe, base64url. */
  push_key: string;
  /** How many browsers of the account have subscribed. */
  push_subscriptions: number;
  /** Whether the browser of this session is subscribed. Missing in responses of older servers. */
  push_subscribed?: boolean | undefined;
  /**
   * Whether the server writes emails to files instead of sending them, because it has no mail server. Missing in
   * responses of older servers.
   */
  mail_to_files?: boolean | undefined;
  channels: Record<ReminderChannel, ChannelState>;
}

const channelState = v.looseObject({
  accepted_at: v.nullable(v.string()),
  problem: v.nullable(v.string()),
});

export const reminderStateSchema: v.GenericSchema<unknown, ReminderState> = v.looseObject({
  ...entries,
  ntfy_url: v.nullable(v.string()),
  push_key: v.string(),
  push_subscriptions: v.number(),
  push_subscribed: v.optional(v.boolean()),
  mail_to_files: v.optional(v.boolean()),
  channels: v.looseObject({ push: channelState, mail: channelState, ntfy: channelState }),
});

export interface TestPayload {
  channel: ReminderChannel;
}

/**
 * The payload of POST, which sends a test message at once. The response is a 200 if the service (for email, the mail
 * server) has accepted the message, a 409 if there is no target, and a 502 if sending failed. A 409 or 502 contains the
 * reason in words.
 */
export const testPayloadSchema: v.GenericSchema<unknown, TestPayload> = v.object({
  channel: v.picklist(reminderChannels),
});

export interface TestResponse extends MessageResponse {
  /** What the person should know about a message that was accepted, in words; missing if there is nothing. */
  warning?: string | undefined;
}

export const testResponseSchema: v.GenericSchema<unknown, TestResponse> = v.looseObject({
  message: v.string(),
  warning: v.optional(v.string()),
});

/** A browser's subscription, from PushSubscription.toJSON(), and the account whose reminders it receives. */
export interface PushSubscriptionPayload {
  endpoint: string;
  keys: { p256dh: string; auth: string };
  /** The name of the account's database on this device; every message to this browser contains it. */
  account: string;
  /** The endpoint of the browser's earlier subscription, which may belong to an earlier session and is deleted. */
  replaces?: string | undefined;
}

const base64url = (length: number) =>
  v.pipe(v.string(), v.regex(/^[\w-]+=*$/), v.maxLength(length));

const endpointSchema = v.pipe(v.string(), v.url(), v.maxLength(2_000));

/** The payload of PUT, which adds or renews this browser's subscription. It ends with the session. */
export const pushSubscriptionPayloadSchema: v.GenericSchema<unknown, PushSubscriptionPayload> =
  v.object({
    endpoint: endpointSchema,
    keys: v.object({ p256dh: base64url(200), auth: base64url(100) }),
    account: v.pipe(v.string(), v.maxLength(100)),
    replaces: v.optional(endpointSchema),
  });

export function reminderSettingsRequest(): ApiRequest {
  return request('GET', reminderPaths.settings);
}

export function changeRemindersRequest(payload: ReminderSettingsPayload): ApiRequest {
  return request('PATCH', reminderPaths.settings, { body: payload });
}

export function testReminderRequest(payload: TestPayload): ApiRequest {
  return request('POST', reminderPaths.test, { body: payload });
}

export function putPushSubscriptionRequest(payload: PushSubscriptionPayload): ApiRequest {
  return request('PUT', reminderPaths.pushSubscription, { body: payload });
}

/** Deletes the subscription that belongs to this session. */
export function deletePushSubscriptionRequest(): ApiRequest {
  return request('DELETE', reminderPaths.pushSubscription);
}

/**
 * The payload of a push message, in one format for all browsers. WebKit shows it by itself ("declarative web push") and
 * rejects it if a known member has the wrong type; other browsers pass it to the service worker.
 */
export interface PushMessage {
  web_push: 8030;
  notification: {
    title: string;
    body: string;
    /** An absolute URL. */
    navigate: string;
    lang: 'en';
    tag: string;
    /** Plants that are due, for the badge on the app's icon. */
    app_badge: number;
    data: PushData;
  };
}

export type ReminderKind = 'digest' | 'alert' | 'test';

export interface PushData {
  kind: ReminderKind;
  /** The name of the account's database on the receiving device, from its subscription. */
  account: string;
  /**
   * digest: the plants that it lists, first those that are due, as many as `app_badge`, then those that are due soon;
   * alert: the plants with a problem. The last ones are left out if they do not fit into the message.
   */
  plants: { id: string; name: string }[];
  /** digest: how many plants are due soon, also those that were left out of `plants`; older servers do not send it. */
  soon_count?: number | undefined;
  /** digest: when the server made it, ms; older servers send neither this nor `due_before`. */
  made_at?: number | undefined;
  /** digest: the end of its day, ms. A plant counts as due if its next watering is before it. */
  due_before?: number | undefined;
}
