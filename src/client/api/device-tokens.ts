import {
  createDeviceTokenRequest,
  type DeviceToken,
  deleteDeviceTokenRequest,
  deviceTokensRequest,
  deviceTokensSchema,
  type NewDeviceToken,
  newDeviceTokenSchema,
} from '#contract/device-tokens.ts';
import { anyJson, ask } from './http.ts';
import type { Call } from './send.ts';

/** Newest first. Every function throws ApiFailure. */
export function fetchDeviceTokens(call: Call): Promise<DeviceToken[]> {
  const fallback = 'Failed to load devices';
  return ask(deviceTokensRequest(), call, deviceTokensSchema, { fallback });
}

/** The only answer that holds the secret; it must not be kept. */
export function createDeviceToken(deviceId: string, call: Call): Promise<NewDeviceToken> {
  const fallback = 'Failed to add device';
  const request = createDeviceTokenRequest({ device_id: deviceId });
  return ask(request, call, newDeviceTokenSchema, { fallback });
}

export async function deleteDeviceToken(id: string, call: Call): Promise<void> {
  await ask(deleteDeviceTokenRequest(id), call, anyJson, { fallback: 'Failed to remove device' });
}
