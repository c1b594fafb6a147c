import { messageAnswerSchema } from '#contract/plants.ts';
import {
  pushSubscriptionPayloadSchema,
  reminderPaths,
  reminderSettingsPayloadSchema,
  reminderStateSchema,
} from '#contract/settings/reminders.ts';
import type { Operation } from '../http/openapi/operation.ts';

const tag = 'Reminders';

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
        summary: 'A time that no clock shows',
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
      'A browser’s `PushSubscription.toJSON()`, with what the device calls the account. The subscription ends with the session.',
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
    success: { status: 200, description: 'Subscribed', schema: messageAnswerSchema },
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
    success: { status: 200, description: 'This session has none', schema: messageAnswerSchema },
  },
];
