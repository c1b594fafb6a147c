import * as v from 'valibot';
import { type ApiRequest, pathFor, request } from './request.ts';

export const deviceTokenPaths = {
  all: '/api/device-tokens',
  one: '/api/device-tokens/:id',
} as const;

/** A token that may post the readings of one device and nothing else. */
export interface DeviceToken {
  id: string;
  device_id: string;
  /** ISO 8601 UTC */
  created_at: string;
  /** ISO 8601 UTC, accurate to a few minutes; null: never used */
  last_used_at: string | null;
}

/** Only this response contains the secret; the server stores its hash. */
export interface NewDeviceToken extends DeviceToken {
  token: string;
}

export interface DeviceTokenPayload {
  device_id: string;
}

export const deviceTokenPayloadSchema: v.GenericSchema<unknown, DeviceTokenPayload> = v.object({
  device_id: v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(200)),
});

const entries = {
  id: v.string(),
  device_id: v.string(),
  created_at: v.string(),
  last_used_at: v.nullable(v.string()),
};

export const deviceTokensSchema: v.GenericSchema<unknown, DeviceToken[]> = v.array(
  v.looseObject(entries),
);

export const newDeviceTokenSchema: v.GenericSchema<unknown, NewDeviceToken> = v.looseObject({
  ...entries,
  token: v.string(),
});

export function deviceTokensRequest(): ApiRequest {
  return request('GET', deviceTokenPaths.all);
}

export function createDeviceTokenRequest(payload: DeviceTokenPayload): ApiRequest {
  return request('POST', deviceTokenPaths.all, { body: payload });
}

export function deleteDeviceTokenRequest(id: string): ApiRequest {
  return request('DELETE', pathFor(deviceTokenPaths.one, id));
}
