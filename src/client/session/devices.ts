import * as api from '#client/api/device-tokens.ts';
import { ApiError } from '#client/api/http.ts';
import { apiUrl } from '#client/api/send.ts';
import type { DeviceToken } from '#contract/device-tokens.ts';
import { logPaths } from '#contract/logs.ts';
import { AccountError } from './account-error.ts';
import { getSession, refuseToken } from './session.ts';

/** A sensor device that may post the readings of one device id. */
export interface Device {
  /** Of this way in; one device id may have several. */
  key: string;
  deviceId: string;
  /** ms */
  madeAt: number;
  /** ms, to a few minutes; null: never used */
  lastUsedAt: number | null;
}

export interface NewDevice {
  device: Device;
  /** Shown once and not stored. */
  secret: string;
}

/** Newest first; throws an AccountError with the words to show, as all of these. */
export async function loadDevices(): Promise<Device[]> {
  return (await asSignedIn(api.fetchDeviceTokens, 'Failed to load devices')).map(toDevice);
}

export async function addDevice(deviceId: string): Promise<NewDevice> {
  const { token: secret, ...made } = await asSignedIn(
    (call) => api.createDeviceToken(deviceId.trim(), call),
    'Failed to add device',
  );
  return { device: toDevice(made), secret };
}

/** Content too when it was removed elsewhere. */
export async function removeDevice({ key }: Device): Promise<void> {
  const remove = (call: { token: string }) =>
    api.deleteDeviceToken(key, call).catch((error: unknown) => {
      if (!(error instanceof ApiError && error.status === 404)) throw error;
    });
  await asSignedIn(remove, 'Failed to remove device');
}

/** Where a device posts its readings. */
export function readingsAddress(): string {
  return new URL(apiUrl(logPaths.create), window.location.origin).href;
}

/** A refused token ends the session, as it does when the sync engine hears of it. */
async function asSignedIn<T>(
  ask: (call: { token: string }) => Promise<T>,
  fallback: string,
): Promise<T> {
  const session = getSession();
  if (session.status !== 'signed-in') throw new AccountError(null, fallback);
  const { token } = session;
  return ask({ token }).catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 401) void refuseToken(token);
    throw new AccountError(error, fallback);
  });
}

function toDevice(token: DeviceToken): Device {
  return {
    key: token.id,
    deviceId: token.device_id,
    madeAt: Date.parse(token.created_at),
    lastUsedAt: token.last_used_at === null ? null : Date.parse(token.last_used_at),
  };
}
