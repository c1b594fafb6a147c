import { apiUrl } from '#client/api/send.ts';
import {
  createDeviceTokenRequest,
  type DeviceToken,
  deleteDeviceTokenRequest,
  deviceTokensRequest,
  deviceTokensSchema,
  newDeviceTokenSchema,
} from '#contract/device-tokens.ts';
import { logPaths } from '#contract/logs.ts';
import { callSignedIn, removeSignedIn } from '../signed-in-call.ts';

/** A sensor device with a token, with which it may only post readings for its `deviceId`. */
export interface Device {
  /** The token's id: several tokens may have the same `deviceId`. */
  key: string;
  deviceId: string;
  /** ms */
  createdAt: number;
  /** ms, to a few minutes; null: never used */
  lastUsedAt: number | null;
}

export interface NewDevice {
  device: Device;
  /** Shown once and not stored. */
  secret: string;
}

/** Newest first. Throws an AccountError with the message to show, like all functions here. */
export async function loadDevices(): Promise<Device[]> {
  const fallback = 'Failed to load devices';
  return (await callSignedIn(deviceTokensRequest(), deviceTokensSchema, fallback)).map(toDevice);
}

export async function addDevice(deviceId: string): Promise<NewDevice> {
  const request = createDeviceTokenRequest({ device_id: deviceId.trim() });
  const made = await callSignedIn(request, newDeviceTokenSchema, 'Failed to add device');
  return { device: toDevice(made), secret: made.token };
}

/** Also succeeds if the device was already removed elsewhere. */
export async function removeDevice({ key }: Device): Promise<void> {
  await removeSignedIn(deleteDeviceTokenRequest(key), 'Failed to remove device');
}

/** The URL to which a device posts its readings. */
export function readingsUrl(): string {
  return new URL(apiUrl(logPaths.create), window.location.origin).href;
}

function toDevice(token: DeviceToken): Device {
  return {
    key: token.id,
    deviceId: token.device_id,
    createdAt: Date.parse(token.created_at),
    lastUsedAt: token.last_used_at === null ? null : Date.parse(token.last_used_at),
  };
}
