import { eq } from 'drizzle-orm';
import {
  authPaths,
  forgotPasswordPayloadSchema,
  resetPasswordPayloadSchema,
} from '#contract/auth.ts';
import { transaction } from '../database/transaction.ts';
import type { AppDeps } from '../deps.ts';
import { ApiError } from '../http/api-error.ts';
import { limit } from '../http/rate-limit.ts';
import type { App } from '../http/validation.ts';
import { queueMail } from '../mail/outbox.ts';
import { passwordChangedLetter, resetPasswordLetter } from '../mail/texts.ts';
import { issueAccountToken, redeemAccountToken, revokeAccountTokens } from './account-tokens.ts';
import { findAccount } from './find-account.ts';
import { sessions, users } from './schema.ts';

/** No answer to a reset request comes sooner: how long the work took would tell whether there is an account. */
const forgotAnswerMs = 250;
const linkLifeMs = 3_600_000;
const noticeLifeMs = 24 * 3_600_000;

export function passwordResetRoutes(app: App, deps: AppDeps): void {
  app.post(
    authPaths.forgotPassword,
    { schema: { body: forgotPasswordPayloadSchema } },
    async ({ body, ip }) => {
      const answerTime = deps.pause(forgotAnswerMs);
      await limit(deps, 'forgot-password', body.username_or_email, ip);
      await mailResetLink(deps, body.username_or_email);
      await answerTime;
      return {
        message: 'If an account exists, you will receive an email with instructions.',
      };
    },
  );

  app.post(
    authPaths.resetPassword,
    { schema: { body: resetPasswordPayloadSchema } },
    async ({ body, ip }) => {
      await limit(deps, 'reset-password', body.token, ip);
      const passwordHash = await deps.hasher.hash(body.password);
      if (!(await resetPassword(deps, body.token, passwordHash))) {
        const message = 'The password reset link is invalid or has expired.';
        throw new ApiError(400, 'invalid_token', message);
      }
      deps.mailQueued();
      return { message: 'Your password has been reset.' };
    },
  );
}

async function mailResetLink(deps: AppDeps, identifier: string): Promise<void> {
  const account = await findAccount(deps.db.orm, identifier);
  if (!account) return;
  const now = deps.clock();
  await transaction(deps.db, async (tx) => {
    const token = await issueAccountToken(tx, {
      userId: account.id,
      kind: 'reset',
      now,
      lifeMs: linkLifeMs,
    });
    const letter = resetPasswordLetter(`${deps.publicUrl()}/reset-password?token=${token}`);
    await queueMail(tx, { to: account.email, letter, now, lifeMs: linkLifeMs });
  });
  deps.mailQueued();
}

/** Whoever was signed in is so no longer, and no other link works. False: the token opens nothing. */
async function resetPassword(deps: AppDeps, token: string, passwordHash: string): Promise<boolean> {
  const now = deps.clock();
  return await transaction(deps.db, async (tx) => {
    const userId = await redeemAccountToken(tx, { token, kind: 'reset', now });
    if (userId === null) return false;
    const [account] = await tx
      .update(users)
      // The link came by mail, so the address is theirs.
      .set({ passwordHash, isVerified: true })
      .where(eq(users.id, userId))
      .returning({ email: users.email });
    if (!account) return false;
    await tx.delete(sessions).where(eq(sessions.userId, userId));
    await revokeAccountTokens(tx, { userId, kind: 'reset' });
    const letter = passwordChangedLetter(deps.publicUrl());
    await queueMail(tx, { to: account.email, letter, now, lifeMs: noticeLifeMs });
    return true;
  });
}
