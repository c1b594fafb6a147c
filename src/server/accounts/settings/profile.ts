import { eq } from 'drizzle-orm';
import type { User } from '#contract/auth.ts';
import { profilePaths, profilePayloadSchema } from '#contract/settings/profile.ts';
import type { Database } from '../../database/database.ts';
import { transaction } from '../../database/transaction.ts';
import { unauthorized } from '../../http/api-error.ts';
import type { App, AppDeps } from '../../http/app-deps.ts';
import { rescheduleReminders } from '../../reminders/settings.ts';
import { users } from '../schema.ts';
import { requirePerson } from '../session.ts';
import { changeUsername } from '../sign-in-names.ts';

export function profileRoutes(app: App, deps: AppDeps): void {
  app.get(profilePaths.profile, ({ session }) => readUser(deps.db, session.userId));

  app.patch(profilePaths.profile, { schema: { body: profilePayloadSchema } }, async (request) => {
    const { userId } = requirePerson(request);
    const { username, time_zone: timeZone } = request.body;
    await transaction(deps.db, async (tx) => {
      if (username !== undefined) await changeUsername(tx, userId, username);
      if (timeZone !== undefined) {
        await tx.update(users).set({ timeZone }).where(eq(users.id, userId));
        await rescheduleReminders(tx, { userId, now: deps.clock() });
      }
    });
    return await readUser(deps.db, userId);
  });
}

async function readUser({ orm }: Database, userId: string): Promise<User> {
  const [user] = await orm.select().from(users).where(eq(users.id, userId));
  if (!user) throw unauthorized();
  return {
    username: user.username,
    email: user.email,
    is_verified: user.isVerified,
    time_zone: user.timeZone,
    device_key: user.deviceKey ?? user.email,
  };
}
