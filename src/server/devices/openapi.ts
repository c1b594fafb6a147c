import {
  deviceTokenPaths,
  deviceTokenPayloadSchema,
  deviceTokensSchema,
  newDeviceTokenSchema,
} from '#contract/device-tokens.ts';
import { messageResponseSchema } from '#contract/plants.ts';
import type { Operation } from '../http/openapi/operation.ts';

const tag = 'Devices';

export const deviceOperations: readonly Operation[] = [
  {
    id: 'listDeviceTokens',
    method: 'get',
    path: deviceTokenPaths.all,
    tag,
    summary: 'List the device tokens of the account',
    caller: 'person',
    success: {
      status: 200,
      description: 'The tokens, without their secrets',
      schema: deviceTokensSchema,
    },
  },
  {
    id: 'createDeviceToken',
    method: 'post',
    path: deviceTokenPaths.all,
    tag,
    summary: 'Create a device token',
    description:
      'The token can only post the readings of this device. This response is the only one that contains the secret. An Idempotency-Key is ignored. An account can have up to 100 tokens.',
    caller: 'person',
    body: deviceTokenPayloadSchema,
    example: { device_id: 'pot-1' },
    success: { status: 201, description: 'The token', schema: newDeviceTokenSchema },
    badInput: [
      {
        summary: 'Missing device id',
        body: {},
        detail: [{ loc: ['body', 'device_id'], msg: 'Required' }],
      },
    ],
  },
  {
    id: 'deleteDeviceToken',
    method: 'delete',
    path: deviceTokenPaths.one,
    tag,
    summary: 'Revoke a device token',
    caller: 'person',
    names: 'device token',
    isIdempotent: true,
    success: { status: 200, description: 'Revoked', schema: messageResponseSchema },
  },
];
