import * as v from 'valibot';
import { messageResponseSchema } from '#contract/plants.ts';
import {
  pushSubscriptionPayloadSchema,
  reminderPaths,
  reminderSettingsPayloadSchema,
  reminderStateSchema,
  testPayloadSchema,
  testResponseSchema,
} from '#contract/settings/reminders.ts';
import type { Operation } from '../http/openapi/operation.ts';

const tag = 'Reminders';

/** The token is optional, so that a link without one gets the same response as a link with an invalid one. */
const linkQuerySchema = v.object({ token: v.optional(v.string()) });

export const reminderOperations: readonly Operation[] = [
  {
    id: 'readReminders',
    method: 'get',
    path: reminderPaths.settings,
    tag,
    summary: 'Get the settings of reminders and the state of their channels',
    caller: 'person',
    success: { status: 200, description: 'The settings', schema: reminderStateSchema },
  },
  {
    id: 'changeReminders',
    method: 'patch',
    path: reminderPaths.settings,
    tag,
    summary: 'Change settings of reminders',
    description: 'Fields that are missing keep their value.',
    caller: 'person',
    body: reminderSettingsPayloadSchema,
    example: { digest_time: '08:30', push_enabled: true },
    success: { status: 200, description: 'The settings', schema: reminderStateSchema },
    badInput: [
      {
        summary: 'An invalid time of day',
        body: { digest_time: '24:00' },
        detail: [{ loc: ['body', 'digest_time'], msg: 'Please enter a time like 09:00' }],
      },
    ],
  },
  {
    id: 'putPushSubscription',
    method: 'put',
    path: reminderPaths.pushSubscription,
    tag,
    summary: 'Add or renew the push subscription of this session',
    description:
      'A browser’s `PushSubscription.toJSON()` and the device’s name for the account. The subscription ends with the session.',
    caller: 'person',
    body: pushSubscriptionPayloadSchema,
    example: {
      endpoint: 'https://updates.push.services.mozilla.com/wpush/v2/example',
      keys: {
        p256dh:
          'BOZL-iw6g2FbjrytAYgnd8cEodfwq7559tLU7E_M6BNIfwYOi4PyG3-g8wGiPW1DaVT7VmF9CG0gvGNyb_Cvqrw',
        auth: 'OTA5MDkwOTA5MDkwOTA5MA',
      },
      account: 'garden',
    },
    success: { status: 200, description: 'Subscribed', schema: messageResponseSchema },
    badInput: [
      {
        summary: 'Not a push service',
        body: {
          endpoint: 'https://internal.example.org/',
          keys: { p256dh: 'BF2P', auth: 'OTA5' },
          account: 'garden',
        },
        detail: [{ loc: ['body', 'endpoint'], msg: 'Not the URL of a known push service' }],
      },
    ],
  },
  {
    id: 'deletePushSubscription',
    method: 'delete',
    path: reminderPaths.pushSubscription,
    tag,
    summary: 'Delete the push subscription of this session',
    caller: 'person',
    success: {
      status: 200,
      description: 'This session has no subscription',
      schema: messageResponseSchema,
    },
  },
  {
    id: 'testReminder',
    method: 'post',
    path: reminderPaths.test,
    tag,
    summary: 'Send a test message now',
    description: 'Responds when it was accepted. The channel may be off.',
    caller: 'person',
    body: testPayloadSchema,
    example: { channel: 'mail' },
    success: {
      status: 200,
      description: 'The service has accepted the message',
      schema: testResponseSchema,
    },
    isLimited: true,
    errors: {
      409: 'No browser has subscribed, or no topic is set (`not_sent`)',
      502: 'The service did not accept the message; `message` says why (`not_sent`)',
    },
    badInput: [
      {
        summary: 'An unknown channel',
        body: {},
        detail: [{ loc: ['body', 'channel'], msg: 'Required' }],
      },
    ],
  },
  {
    id: 'askToUnsubscribe',
    method: 'get',
    path: reminderPaths.unsubscribe,
    tag,
    summary: 'Ask whether to unsubscribe an account from emails',
    description: 'The target of the link in the email. Changes nothing.',
    caller: 'anybody',
    query: linkQuerySchema,
    success: {
      status: 200,
      description: 'A page with a form that sends the POST',
      contentType: 'text/html; charset=utf-8',
    },
  },
  {
    id: 'unsubscribe',
    method: 'post',
    path: reminderPaths.unsubscribe,
    tag,
    summary: 'Unsubscribe an account from reminders by email',
    description: 'One-click unsubscribe (RFC 8058). The body may be a form, which is ignored.',
    caller: 'anybody',
    query: linkQuerySchema,
    success: {
      status: 200,
      description: 'No more reminders are sent by email',
      contentType: 'text/html; charset=utf-8',
    },
    isLimited: true,
    errors: { 400: 'The link is not valid (`invalid_token`), or the request is malformed' },
  },
];
