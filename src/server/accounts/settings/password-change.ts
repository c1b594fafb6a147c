import { and, eq, ne } from 'drizzle-orm';
import { passwordPayloadSchema, profilePaths } from '#contract/settings/profile.ts';
import { transaction } from '../../database/transaction.ts';
import { unauthorized } from '../../http/api-error.ts';
import type { App, AppDeps } from '../../http/app-deps.ts';
import { passwordChangedEmail } from '../../mail/email.ts';
import { informationLifetimeMs, queueEmail } from '../../mail/queue.ts';
import { revokeAccountTokens } from '../account-tokens.ts';
import { sessions, users } from '../schema.ts';
import { type PersonSession, requirePerson } from '../session.ts';
import type { Account } from '../sign-in-names.ts';
import { checkPassword, lockChecked } from './check-password.ts';

export function passwordChangeRoute(app: App, deps: AppDeps): void {
  app.post(profilePaths.password, { schema: { body: passwordPayloadSchema } }, async (request) => {
    const session = requirePerson(request);
    const { body, ip } = request;
    const { userId } = session;
    const account = await checkPassword(deps, { userId, password: body.password, ip });
    await changePassword(deps, session, account, await deps.hasher.hash(body.new_password));
    deps.emailQueued();
    deps.announcer.sessionsEnded(userId);
    return { message: 'Your password has been changed.' };
  });
}

/** Also ends all other sessions, and invalidates links for a new password or a new email address. */
async function changePassword(
  deps: AppDeps,
  { userId, sessionId }: PersonSession,
  account: Account,
  passwordHash: string,
): Promise<void> {
  const now = deps.clock();
  await transaction(deps.db, async (tx) => {
    await lockChecked(tx, account);
    // The email address may have changed since the password was checked.
    const [changed] = await tx
      .update(users)
      .set({ passwordHash })
      .where(eq(users.id, userId))
      .returning({ email: users.email });
    if (!changed) throw unauthorized();
    await tx.delete(sessions).where(and(eq(sessions.userId, userId), ne(sessions.id, sessionId)));
    await revokeAccountTokens(tx, { userId, kinds: ['reset', 'email'] });
    const content = passwordChangedEmail(deps.publicUrl(), { signedOut: 'every other device' });
    await queueEmail(tx, { to: changed.email, content, now, lifetimeMs: informationLifetimeMs });
  });
}
