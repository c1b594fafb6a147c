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
import { type Transaction, transaction } from '../database/transaction.ts';
import type { AppDeps } from '../deps.ts';
import { limit } from '../http/rate-limit.ts';
import type { App } from '../http/validation.ts';
import type { Letter } from '../mail/mail.ts';
import { queueMail } from '../mail/outbox.ts';
import { alreadyRegisteredLetter, verifyEmailLetter } from '../mail/texts.ts';
import { issueAccountToken, redeemAccountToken } from './account-tokens.ts';
import { users } from './schema.ts';

const linkLifeMs = 24 * 3_600_000;
const answer: RegisterAnswer = { message: 'Please check your email to verify your account.' };
const verifyQuery = v.object({ token: v.string() });

type Account = Pick<typeof users.$inferSelect, 'id' | 'email' | 'isVerified'>;

/** Whether an address has an account is told to its owner by mail, to nobody by an answer. */
export function registrationRoutes(app: App, deps: AppDeps): void {
  app.post(
    authPaths.register,
    { schema: { body: registerPayloadSchema } },
    async ({ body, ip }, reply) => {
      await limit(deps, 'register', body.email, ip);
      await register(deps, body);
      return reply.status(201).send(answer);
    },
  );

  // No HEAD: it would use the link up for a mail program that only looks.
  app.get(authPaths.verifyEmail, { exposeHeadRoute: false }, async (request, reply) => {
    const query = v.safeParse(verifyQuery, request.query);
    const isVerified = query.success && (await verify(deps, query.output.token));
    return reply.redirect(`/signin?verified=${isVerified ? 1 : 0}`);
  });
}

/** The hash comes first and always: a known address must cost what a new one does. */
async function register(deps: AppDeps, payload: RegisterPayload): Promise<void> {
  const passwordHash = await deps.hasher.hash(payload.password);
  const now = deps.clock();
  await transaction(deps.db, async (tx) => {
    const account = await ensureAccount(tx, { ...payload, passwordHash, now });
    const letter = account.isVerified
      ? alreadyRegisteredLetter(deps.publicUrl())
      : await verificationLetter(deps, tx, account, now);
    await queueMail(tx, { to: account.email, letter, now, lifeMs: linkLifeMs });
  });
  deps.mailQueued();
}

/** The account of this address, untouched if there was one already. Parallel registrations get the same. */
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
    // Changes nothing, but unlike DO NOTHING it locks the row and returns it.
    .onConflictDoUpdate({ target: users.emailKey, set: { emailKey: sql`excluded.email_key` } })
    .returning({ id: users.id, email: users.email, isVerified: users.isVerified });
  if (!account) throw new Error('an account was neither made nor found');
  return account;
}

async function verificationLetter(
  deps: AppDeps,
  tx: Transaction,
  account: Account,
  now: Date,
): Promise<Letter> {
  const token = await issueAccountToken(tx, {
    userId: account.id,
    kind: 'verify',
    now,
    lifeMs: linkLifeMs,
  });
  return verifyEmailLetter(`${deps.publicUrl()}${authPaths.verifyEmail}?token=${token}`);
}

async function verify(deps: AppDeps, token: string): Promise<boolean> {
  return await transaction(deps.db, async (tx) => {
    const userId = await redeemAccountToken(tx, { token, kind: 'verify', now: deps.clock() });
    if (userId === null) return false;
    await tx.update(users).set({ isVerified: true }).where(eq(users.id, userId));
    return true;
  });
}
