import { deviceTokenPaths, deviceTokenPayloadSchema } from '#contract/device-tokens.ts';
import type { MessageAnswer } from '#contract/plants.ts';
import { transaction } from '../database/transaction.ts';
import type { AppDeps } from '../deps.ts';
import { ApiError, notFound } from '../http/api-error.ts';
import { answerOnce } from '../http/idempotency.ts';
import { rowIdOf } from '../http/row-id.ts';
import type { App } from '../http/validation.ts';
import { issueDeviceToken, listDeviceTokens, revokeDeviceToken } from './queries.ts';

const tokenLimit = 100;

export function deviceTokenRoutes(app: App, deps: AppDeps): void {
  app.get(deviceTokenPaths.all, ({ session }) => listDeviceTokens(deps.db, session.userId));

  // Not through `once`: the answer is kept with a key for 90 days, and this one holds a secret of which only the hash
  // may be kept. A repeated request makes a token more, which the list shows and anybody can revoke.
  app.post(
    deviceTokenPaths.all,
    { schema: { body: deviceTokenPayloadSchema } },
    async ({ session, body }, reply) => {
      const made = await transaction(deps.db, (tx) =>
        issueDeviceToken(tx, {
          userId: session.userId,
          deviceId: body.device_id,
          now: deps.clock(),
          limit: tokenLimit,
        }),
      );
      if (!made) throw tooManyTokens();
      return reply.status(201).header('cache-control', 'no-store').send(made);
    },
  );

  app.delete(deviceTokenPaths.one, (request, reply) =>
    answerOnce(deps, request, reply, async (tx) => {
      const id = rowIdOf(request);
      const revoked = id !== null && (await revokeDeviceToken(tx, request.session.userId, id));
      if (!revoked) throw notFound('Device token');
      const answer: MessageAnswer = { message: 'Device token revoked' };
      return { status: 200, json: JSON.stringify(answer) };
    }),
  );
}

function tooManyTokens(): ApiError {
  const message = `An account can have ${tokenLimit} device tokens; revoke one that is not used any more`;
  return new ApiError(422, 'invalid', message, {
    detail: [{ loc: ['body', 'device_id'], msg: message }],
  });
}
