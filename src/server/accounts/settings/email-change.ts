import * as v from 'valibot';
import { type EmailPayload, emailPayloadSchema, profilePaths } from '#contract/settings/profile.ts';
import { hourMs } from '#domain/time.ts';
import { transaction } from '../../database/transaction.ts';
import { invalidField } from '../../http/api-error.ts';
import type { App, AppDeps } from '../../http/app-deps.ts';
import { limitAttempts } from '../../http/rate-limit.ts';
import { alreadyRegisteredEmail, confirmEmailEmail, emailChangedEmail } from '../../mail/email.ts';
import { informationLifetimeMs, queueEmail } from '../../mail/queue.ts';
import { changeReminderEmail } from '../../reminders/settings.ts';
import { issueAccountToken, redeemAccountToken, revokeAccountTokens } from '../account-tokens.ts';
import { minResponseMs } from '../min-response.ts';
import { requirePerson } from '../session.ts';
import { type Account, changeEmail, findAccountByEmail } from '../sign-in-names.ts';
import { accountIn } from '../token.ts';
import { checkPassword, lockChecked } from './check-password.ts';

const linkLifetimeMs = 24 * hourMs;

const sameEmail = 'This is your email address already';
const confirmQuery = v.object({ token: v.string() });

/** The response is the same whether or not the new address has an account, as it is for a registration. */
export function emailChangeRoute(app: App, deps: AppDeps): void {
  app.post(profilePaths.email, { schema: { body: emailPayloadSchema } }, async (request) => {
    const { userId } = requirePerson(request);
    const { body, ip } = request;
    const account = await checkPassword(deps, { userId, password: body.password, ip });
    if (body.email === account.email) throw invalidField('email', sameEmail);
    // Counts successful requests too, because each sends an email to an address that may belong to somebody else.
    await limitAttempts(deps, 'change-email', userId, ip);
    const minDuration = deps.pause(minResponseMs);
    await sendLink(deps, account, body);
    await minDuration;
    return { message: 'Please open the link that was sent to the new email address.' };
  });
}

/**
 * Sends the link. If the address belongs to another account that is verified, its owner gets an email that says so
 * instead. Earlier links become invalid in both cases.
 */
async function sendLink(deps: AppDeps, account: Account, { email }: EmailPayload): Promise<void> {
  const { id: userId } = account;
  const now = deps.clock();
  const owner = await findAccountByEmail(deps.db.orm, email);
  await transaction(deps.db, async (tx) => {
    await lockChecked(tx, account);
    await revokeAccountTokens(tx, { userId, kinds: ['email'] });
    // If the owner is not verified, the link is sent nevertheless: opening it removes that account.
    if (owner?.isVerified && owner.id !== userId) {
      const content = alreadyRegisteredEmail(deps.publicUrl());
      await queueEmail(tx, { to: owner.email, content, now, lifetimeMs: informationLifetimeMs });
      return;
    }
    const lifetimeMs = linkLifetimeMs;
    const token = await issueAccountToken(tx, { userId, kind: 'email', email, now, lifetimeMs });
    const link = `${deps.publicUrl()}${profilePaths.confirmEmail}?token=${token}`;
    await queueEmail(tx, { to: email, content: confirmEmailEmail(link), now, lifetimeMs });
  });
  deps.emailQueued();
}

/** The target of the link. Needs no session: it may be opened in another browser. */
export function confirmEmailRoute(app: App, deps: AppDeps): void {
  // No HEAD route: mail programs that preview links would consume the token.
  app.get(profilePaths.confirmEmail, { exposeHeadRoute: false }, async (request, reply) => {
    const query = v.safeParse(confirmQuery, request.query);
    const isConfirmed = query.success && (await confirm(deps, query.output.token));
    return reply.redirect(`/dashboard/settings?email=${isConfirmed ? 'confirmed' : 'invalid'}`);
  });
}

async function confirm(deps: AppDeps, token: string): Promise<boolean> {
  const userId = accountIn(token);
  if (userId === null) return false;
  const now = deps.clock();
  const isConfirmed = await transaction(deps.db, async (tx) => {
    const redeemed = await redeemAccountToken(tx, userId, { token, kind: 'email', now });
    if (!redeemed?.email) return false;
    const before = await changeEmail(tx, userId, redeemed.email);
    if (!before) return false;
    // Links of these kinds were sent to the old address, so they must not work any more.
    await revokeAccountTokens(tx, { userId, kinds: ['reset', 'verify'] });
    await changeReminderEmail(tx, userId, redeemed.email);
    const content = emailChangedEmail(deps.publicUrl());
    await queueEmail(tx, { to: before.email, content, now, lifetimeMs: informationLifetimeMs });
    return true;
  });
  if (isConfirmed) deps.emailQueued();
  return isConfirmed;
}
