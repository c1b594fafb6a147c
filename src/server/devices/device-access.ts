import type { FastifyInstance } from 'fastify';
import { logPaths } from '#contract/logs.ts';
import type { Database } from '../database/database.ts';
import { ApiError } from '../http/api-error.ts';
import { deviceOfPlant } from './device-of-plant.ts';

/**
 * Keeps those who came with a device's token to what it is for: the readings of that one device. Whatever route is
 * registered later is shut to them; before any effect, and before the answer to a repeated key.
 */
export function keepDevicesToTheirOwn(app: FastifyInstance, db: Database): void {
  app.addHook('onRequest', async ({ session, method, routeOptions }) => {
    if (session.deviceId === null) return;
    if (method !== 'POST' || routeOptions.url !== logPaths.create) throw forbidden();
  });
  app.addHook('preValidation', async ({ session, body }) => {
    if (session.deviceId === null || !isObject(body)) return;
    if (body.device_id === undefined) body.device_id = session.deviceId;
  });
  app.addHook('preHandler', async ({ session, body }) => {
    if (session.deviceId === null || !isObject(body)) return;
    if (body.device_id !== session.deviceId) throw forbidden();
    if (typeof body.plant_id !== 'string') return;
    const device = await deviceOfPlant(db, session.userId, body.plant_id);
    // An unknown plant is for the route to say.
    if (device !== undefined && device !== session.deviceId) throw forbidden();
  });
}

/** What a device may not do; its token is good, so signing in again would not help. */
export function forbidden(): ApiError {
  return new ApiError(403, 'forbidden', 'A device token may only post the readings of its device');
}

function isObject(body: unknown): body is Record<string, unknown> {
  return typeof body === 'object' && body !== null && !Array.isArray(body);
}
