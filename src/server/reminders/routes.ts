import type { MessageResponse } from '#contract/plants.ts';
import {
  pushSubscriptionPayloadSchema,
  reminderPaths,
  reminderSettingsPayloadSchema,
  type TestResponse,
  testPayloadSchema,
} from '#contract/settings/reminders.ts';
import { ntfyTopicProblem } from '#domain/reminder/ntfy-topic.ts';
import { requirePerson } from '../accounts/session.ts';
import { transaction } from '../database/transaction.ts';
import { invalidField, invalidInput } from '../http/api-error.ts';
import type { App, AppDeps } from '../http/app-deps.ts';
import { limitAttempts } from '../http/rate-limit.ts';
import { subscriptionProblem } from './channels/push-endpoint.ts';
import { serverKeys } from './server-keys.ts';
import { changeSettings, readState } from './settings.ts';
import { deleteSubscription, putSubscription } from './subscriptions.ts';
import { sendTest } from './test-message.ts';

/**
 * Settings, subscriptions and the test message. Changes are idempotent, so a repeated request is harmless without an
 * Idempotency-Key.
 */
export function reminderRoutes(app: App, deps: AppDeps): void {
  const { db, clock, reminders } = deps;
  const mailToFiles = deps.emailTransport.writesFiles ?? false;

  app.get(reminderPaths.settings, async (request) => {
    const owner = { ...requirePerson(request), now: clock() };
    const { vapid } = await serverKeys(db);
    return await readState(db.orm, owner, { pushKey: vapid.publicKey, mailToFiles });
  });

  app.patch(
    reminderPaths.settings,
    { schema: { body: reminderSettingsPayloadSchema } },
    async (request) => {
      const { body } = request;
      const { ntfy_url: url } = body;
      // The pattern of the schema accepts some texts that are no URLs, e.g. with the port 99999.
      if (url && !URL.canParse(url)) throw invalidField('ntfy_url', ntfyTopicProblem);
      const { vapid } = await serverKeys(db);
      const owner = { ...requirePerson(request), now: clock() };
      return await transaction(db, async (tx) => {
        await changeSettings(tx, owner, body);
        return await readState(tx, owner, { pushKey: vapid.publicKey, mailToFiles });
      });
    },
  );

  app.post(
    reminderPaths.test,
    { schema: { body: testPayloadSchema } },
    async ({ session: { userId }, body, ip }): Promise<TestResponse> => {
      await limitAttempts(deps, 'test-reminder', userId, ip);
      const warning = await sendTest(deps, userId, body);
      return { message: 'Sent', ...(warning !== null && { warning }) };
    },
  );

  app.put(
    reminderPaths.pushSubscription,
    { schema: { body: pushSubscriptionPayloadSchema } },
    async (request): Promise<MessageResponse> => {
      const session = requirePerson(request);
      const problem = subscriptionProblem(request.body, reminders.pushOrigins);
      if (problem) throw invalidInput([problem]);
      await transaction(db, (tx) => putSubscription(tx, session, request.body, clock()));
      return { message: 'Subscribed' };
    },
  );

  app.delete(reminderPaths.pushSubscription, async (request): Promise<MessageResponse> => {
    const session = requirePerson(request);
    await transaction(db, (tx) => deleteSubscription(tx, session, clock()));
    return { message: 'Unsubscribed' };
  });
}
