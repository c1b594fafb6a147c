import { deviceTokenPaths, deviceTokenPayloadSchema } from '#contract/device-tokens.ts';
import type { MessageResponse } from '#contract/plants.ts';
import { transaction } from '../database/transaction.ts';
import { ApiError, notFound } from '../http/api-error.ts';
import type { App, AppDeps } from '../http/app-deps.ts';
import { respondOnce } from '../http/idempotency.ts';
import { rowIdOf } from '../http/request-input.ts';
import { issueDeviceToken, listDeviceTokens, revokeDeviceToken } from './queries.ts';

const maxTokens = 100;

export function deviceTokenRoutes(app: App, deps: AppDeps): void {
  app.get(deviceTokenPaths.all, ({ session }) => listDeviceTokens(deps.db, session.userId));

  // Not through respondOnce: it stores the response, and this one contains a secret of which only the hash may be
  // stored. A repeated request creates another token, which its owner sees in the list and can revoke.
  app.post(
    deviceTokenPaths.all,
    { schema: { body: deviceTokenPayloadSchema } },
    async ({ session, body }, reply) => {
      const made = await transaction(deps.db, (tx) =>
        issueDeviceToken(tx, {
          userId: session.userId,
          deviceId: body.device_id,
          now: deps.clock(),
          limit: maxTokens,
        }),
      );
      if (!made) throw tooManyTokens();
      return reply.status(201).header('cache-control', 'no-store').send(made);
    },
  );

  app.delete(deviceTokenPaths.one, (request, reply) =>
    respondOnce(deps, request, reply, async (tx) => {
      const id = rowIdOf(request);
      const revoked = id !== null && (await revokeDeviceToken(tx, request.session.userId, id));
      if (!revoked) throw notFound('Device token');
      const body: MessageResponse = { message: 'Device token revoked' };
      return { status: 200, json: JSON.stringify(body) };
    }),
  );
}

function tooManyTokens(): ApiError {
  const message = `An account can have ${maxTokens} device tokens; revoke one that is not used any more`;
  return new ApiError(422, 'invalid', message, {
    detail: [{ loc: ['body', 'device_id'], msg: message }],
  });
}
