import {
  createDeviceTokenRequest,
  type DeviceToken,
  deleteDeviceTokenRequest,
  deviceTokensRequest,
  deviceTokensSchema,
  type NewDeviceToken,
  newDeviceTokenSchema,
} from '#contract/device-tokens.ts';
import { anyJson, sendRequest } from './http.ts';
import type { RequestOptions } from './send.ts';

/** The account's devices, newest first. Throws ApiError. */
export function fetchDeviceTokens(call: RequestOptions): Promise<DeviceToken[]> {
  const fallback = 'Failed to load devices';
  return sendRequest(deviceTokensRequest(), call, deviceTokensSchema, { fallback });
}

/** Creates a device token. Only this response contains the secret; it must not be stored. Throws ApiError. */
export function createDeviceToken(deviceId: string, call: RequestOptions): Promise<NewDeviceToken> {
  const fallback = 'Failed to add device';
  const request = createDeviceTokenRequest({ device_id: deviceId });
  return sendRequest(request, call, newDeviceTokenSchema, { fallback });
}

/** Revokes a device token. Throws ApiError. */
export async function deleteDeviceToken(id: string, call: RequestOptions): Promise<void> {
  await sendRequest(deleteDeviceTokenRequest(id), call, anyJson, {
    fallback: 'Failed to remove device',
  });
}
