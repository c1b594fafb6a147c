import { eq } from 'drizzle-orm';
import {
  authPaths,
  forgotPasswordPayloadSchema,
  resetPasswordPayloadSchema,
} from '#contract/auth.ts';
import { hourMs } from '#domain/time.ts';
import { transaction } from '../database/transaction.ts';
import { ApiError } from '../http/api-error.ts';
import type { App, AppDeps } from '../http/app-deps.ts';
import { limitAttempts } from '../http/rate-limit.ts';
import { passwordChangedEmail, passwordResetEmail } from '../mail/email.ts';
import { informationLifetimeMs, queueEmail } from '../mail/queue.ts';
import {
  findTokenOwner,
  issueAccountToken,
  redeemAccountToken,
  revokeAccountTokens,
} from './account-tokens.ts';
import { minResponseMs } from './min-response.ts';
import { sessions, users } from './schema.ts';
import { findAccount } from './sign-in-names.ts';

const linkLifetimeMs = hourMs;

export function passwordResetRoutes(app: App, deps: AppDeps): void {
  app.post(
    authPaths.forgotPassword,
    { schema: { body: forgotPasswordPayloadSchema } },
    async ({ body, ip }) => {
      const minDuration = deps.pause(minResponseMs);
      await limitAttempts(deps, 'forgot-password', body.username_or_email, ip);
      await sendResetLink(deps, body.username_or_email);
      await minDuration;
      return {
        message: 'If an account exists, you will receive an email with instructions.',
      };
    },
  );

  app.post(
    authPaths.resetPassword,
    { schema: { body: resetPasswordPayloadSchema } },
    async ({ body, ip }) => {
      await limitAttempts(deps, 'reset-password', body.token, ip);
      const passwordHash = await deps.hasher.hash(body.password);
      const userId = await resetPassword(deps, body.token, passwordHash);
      if (userId === null) {
        const message = 'The password reset link is invalid or has expired.';
        throw new ApiError(400, 'invalid_token', message);
      }
      deps.emailQueued();
      deps.announcer.sessionsEnded(userId);
      return { message: 'Your password has been reset.' };
    },
  );
}

/** The URL of the screen on which the reader of an email chooses a new password. */
export function resetPasswordUrl(publicUrl: string, token: string): string {
  return `${publicUrl}/reset-password?token=${token}`;
}

async function sendResetLink(deps: AppDeps, identifier: string): Promise<void> {
  const account = await findAccount(deps.db.orm, identifier);
  if (!account) return;
  const now = deps.clock();
  await transaction(deps.db, async (tx) => {
    // Read again and locked: since findAccount the account may have been removed, or its address may have changed and
    // the old one may belong to somebody else now.
    const [current] = await tx
      .select({ email: users.email })
      .from(users)
      .where(eq(users.id, account.id))
      .for('no key update');
    if (!current) return;
    const token = await issueAccountToken(tx, {
      userId: account.id,
      kind: 'reset',
      now,
      lifetimeMs: linkLifetimeMs,
    });
    const content = passwordResetEmail(resetPasswordUrl(deps.publicUrl(), token));
    await queueEmail(tx, { to: current.email, content, now, lifetimeMs: linkLifetimeMs });
  });
  deps.emailQueued();
}

/**
 * Sets the password, marks the email address as verified, ends all sessions, and invalidates links for a new password
 * or a new email address. Resolves to the account's id, or null if the token is not valid.
 */
async function resetPassword(
  deps: AppDeps,
  token: string,
  passwordHash: string,
): Promise<string | null> {
  const now = deps.clock();
  const given = { token, kind: 'reset', now } as const;
  const userId = await findTokenOwner(deps.db.orm, given);
  if (userId === null) return null;
  return await transaction(deps.db, async (tx) => {
    if (!(await redeemAccountToken(tx, userId, given))) return null;
    const [account] = await tx
      .update(users)
      // Whoever has the link received the email, so the email address is verified too.
      .set({ passwordHash, isVerified: true })
      .where(eq(users.id, userId))
      .returning({ email: users.email });
    if (!account) return null;
    await tx.delete(sessions).where(eq(sessions.userId, userId));
    await revokeAccountTokens(tx, { userId, kinds: ['reset', 'email'] });
    const content = passwordChangedEmail(deps.publicUrl(), { signedOut: 'every device' });
    await queueEmail(tx, { to: account.email, content, now, lifetimeMs: informationLifetimeMs });
    return userId;
  });
}
