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

/** Newest first. Every function throws ApiError. */
export function fetchDeviceTokens(call: RequestOptions): Promise<DeviceToken[]> {
  const fallback = 'Failed to load devices';
  return sendRequest(deviceTokensRequest(), call, deviceTokensSchema, { fallback });
}

/** The only answer that holds the secret; it must not be kept. */
export function createDeviceToken(deviceId: string, call: RequestOptions): Promise<NewDeviceToken> {
  const fallback = 'Failed to add device';
  const request = createDeviceTokenRequest({ device_id: deviceId });
  return sendRequest(request, call, newDeviceTokenSchema, { fallback });
}

export async function deleteDeviceToken(id: string, call: RequestOptions): Promise<void> {
  await sendRequest(deleteDeviceTokenRequest(id), call, anyJson, {
    fallback: 'Failed to remove device',
  });
}
