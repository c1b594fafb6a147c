import type { FastifyInstance } from 'fastify';
import { logPaths } from '#contract/logs.ts';
import type { Database } from '../database/database.ts';
import { ApiError } from '../http/api-error.ts';
import { deviceOfPlant } from './queries.ts';

/**
 * Allows a device token one thing only: posting the readings of its own device. An allow-list, so that it also covers
 * routes that are added later. Runs before any effect, and before a stored response to an Idempotency-Key is sent. The
 * readings of an array are checked one by one in its route.
 */
export function restrictDeviceTokens(app: FastifyInstance, db: Database): void {
  app.addHook('onRequest', async ({ session, method, routeOptions }) => {
    if (session.deviceId === null) return;
    if (method !== 'POST' || routeOptions.url !== logPaths.create) throw forbidden();
  });
  app.addHook('preValidation', async (request) => {
    request.body = withOwnDevice(request.session.deviceId, request.body);
  });
  app.addHook('preHandler', async ({ session, body }) => {
    if (session.deviceId === null || !isObject(body)) return;
    if (body.device_id !== session.deviceId) throw forbidden();
    if (typeof body.plant_id !== 'string') return;
    const device = await deviceOfPlant(db, session.userId, body.plant_id);
    // For an unknown plant the route itself responds with an error.
    if (device !== undefined && device !== session.deviceId) throw forbidden();
  });
}

/** 403 rather than 401: the token is valid, so signing in again would not help. */
export function forbidden(): ApiError {
  return new ApiError(403, 'forbidden', 'A device token may only post the readings of its device');
}

/** With a device token, the `device_id` of a reading defaults to the token's device. */
export function withOwnDevice(deviceId: string | null, reading: unknown): unknown {
  const isNameless = deviceId !== null && isObject(reading) && reading.device_id === undefined;
  return isNameless ? { ...reading, device_id: deviceId } : reading;
}

function isObject(body: unknown): body is Record<string, unknown> {
  return typeof body === 'object' && body !== null && !Array.isArray(body);
}
