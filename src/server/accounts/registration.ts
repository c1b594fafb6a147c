import { eq, sql } from 'drizzle-orm';
import { uuidv7 } from 'uuidv7';
import * as v from 'valibot';
import {
  authPaths,
  type RegisterAnswer,
  type RegisterPayload,
  registerPayloadSchema,
} from '#contract/auth.ts';
import { normalizeIdentifier } from '#domain/account.ts';
import { hourMs } from '#domain/time.ts';
import { type Transaction, transaction } from '../database/transaction.ts';
import type { App, AppDeps } from '../http/app-deps.ts';
import { limitAttempts } from '../http/rate-limit.ts';
import type { EmailContent } from '../mail/email.ts';
import { alreadyRegisteredEmail, verificationEmail } from '../mail/email.ts';
import { queueEmail } from '../mail/outbox.ts';
import { issueAccountToken, redeemAccountToken } from './account-tokens.ts';
import { users } from './schema.ts';

const linkLifetimeMs = 24 * hourMs;
const answer: RegisterAnswer = { message: 'Please check your email to verify your account.' };
const verifyQuery = v.object({ token: v.string() });

type Account = Pick<typeof users.$inferSelect, 'id' | 'email' | 'isVerified'>;

/** The response is always the same. Only the owner of the email address learns, by email, whether it has an account. */
export function registrationRoutes(app: App, deps: AppDeps): void {
  app.post(
    authPaths.register,
    { schema: { body: registerPayloadSchema } },
    async ({ body, ip }, reply) => {
      await limitAttempts(deps, 'register', body.email, ip);
      await register(deps, body);
      return reply.status(201).send(answer);
    },
  );

  // No HEAD route: mail programs that preview links would use the token up.
  app.get(authPaths.verifyEmail, { exposeHeadRoute: false }, async (request, reply) => {
    const query = v.safeParse(verifyQuery, request.query);
    const isVerified = query.success && (await verify(deps, query.output.token));
    return reply.redirect(`/signin?verified=${isVerified ? 1 : 0}`);
  });
}

/** Always hashes first, so that the response takes equally long whether or not the account exists. */
async function register(deps: AppDeps, payload: RegisterPayload): Promise<void> {
  const passwordHash = await deps.hasher.hash(payload.password);
  const now = deps.clock();
  await transaction(deps.db, async (tx) => {
    const account = await ensureAccount(tx, { ...payload, passwordHash, now });
    const content = account.isVerified
      ? alreadyRegisteredEmail(deps.publicUrl())
      : await verificationEmailFor(deps, tx, account, now);
    await queueEmail(tx, { to: account.email, content, now, lifetimeMs: linkLifetimeMs });
  });
  deps.emailQueued();
}

/** Creates the account, or returns the existing one unchanged. Parallel registrations get the same account. */
async function ensureAccount(
  tx: Transaction,
  person: { username: string; email: string; passwordHash: string; now: Date },
): Promise<Account> {
  const { username, email, passwordHash, now } = person;
  const [account] = await tx
    .insert(users)
    .values({
      id: uuidv7(),
      email,
      emailKey: normalizeIdentifier(email),
      username,
      usernameKey: normalizeIdentifier(username),
      passwordHash,
      createdAt: now,
    })
    // Changes nothing, but unlike DO NOTHING it locks and returns the existing row.
    .onConflictDoUpdate({ target: users.emailKey, set: { emailKey: sql`excluded.email_key` } })
    .returning({ id: users.id, email: users.email, isVerified: users.isVerified });
  if (!account) throw new Error('the account was neither created nor found');
  return account;
}

async function verificationEmailFor(
  deps: AppDeps,
  tx: Transaction,
  account: Account,
  now: Date,
): Promise<EmailContent> {
  const token = await issueAccountToken(tx, {
    userId: account.id,
    kind: 'verify',
    now,
    lifetimeMs: linkLifetimeMs,
  });
  return verificationEmail(`${deps.publicUrl()}${authPaths.verifyEmail}?token=${token}`);
}

async function verify(deps: AppDeps, token: string): Promise<boolean> {
  return await transaction(deps.db, async (tx) => {
    const userId = await redeemAccountToken(tx, { token, kind: 'verify', now: deps.clock() });
    if (userId === null) return false;
    await tx.update(users).set({ isVerified: true }).where(eq(users.id, userId));
    return true;
  });
}
