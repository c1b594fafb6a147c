import { and, eq } from 'drizzle-orm';
import { uuidv7 } from 'uuidv7';
import * as v from 'valibot';
import {
  authPaths,
  type RegisterPayload,
  type RegisterResponse,
  registerPayloadSchema,
} from '#contract/auth.ts';
import { hourMs } from '#domain/time.ts';
import { isWorkerLost } from '../database/lost-connections.ts';
import { type Transaction, transaction } from '../database/transaction.ts';
import type { App, AppDeps } from '../http/app-deps.ts';
import { limitAttempts } from '../http/rate-limit.ts';
import type { EmailContent } from '../mail/email.ts';
import { alreadyRegisteredEmail, choosePasswordEmail, verificationEmail } from '../mail/email.ts';
import { queueEmail } from '../mail/queue.ts';
import {
  findTokenOwner,
  issueAccountToken,
  redeemAccountToken,
  revokeAccountTokens,
} from './account-tokens.ts';
import { minResponseMs } from './min-response.ts';
import { resetPasswordUrl } from './password-reset.ts';
import { users } from './schema.ts';
import {
  type Account,
  changeUsername,
  ensureAccount,
  findAccountByEmail,
} from './sign-in-names.ts';

const linkLifetimeMs = 24 * hourMs;
const response: RegisterResponse = { message: 'Please check your email to verify your account.' };
const verifyQuery = v.object({ token: v.string() });

/** The response does not depend on whether the email address has an account. Only its owner learns that, by email. */
export function registrationRoutes(app: App, deps: AppDeps): void {
  app.post(
    authPaths.register,
    { schema: { body: registerPayloadSchema } },
    async ({ body, ip }, reply) => {
      await limitAttempts(deps, 'register', body.email, ip);
      const hashes = {
        passwordHash: await deps.hasher.hash(body.password),
        unusableHash: await deps.unusablePasswordHash(),
      };
      const verified = await verifyStored(deps, body, hashes.passwordHash);
      // After the hashing, so that on a slow machine more of the pause is left for the statements.
      const minDuration = deps.pause(minResponseMs);
      await register(deps, body, { ...hashes, verified });
      await minDuration;
      return reply.status(201).send(response);
    },
  );

  // No HEAD route: mail programs that preview links would consume the token.
  app.get(authPaths.verifyEmail, { exposeHeadRoute: false }, async (request, reply) => {
    const query = v.safeParse(verifyQuery, request.query);
    const isVerified = query.success && (await verify(deps, query.output.token));
    return reply.redirect(`/signin?verified=${isVerified ? 1 : 0}`);
  });
}

interface Verified {
  hash: string;
  isSamePassword: boolean;
}

/**
 * Verifies the password against the stored hash of the email address, or against the new hash if there is none, because
 * that takes most of the time. Before the transaction, so that no connection and no lock is held meanwhile.
 */
async function verifyStored(
  { db, hasher }: AppDeps,
  { email, password }: RegisterPayload,
  newHash: string,
): Promise<Verified> {
  const account = await findAccountByEmail(db.orm, email).catch((error: unknown) => {
    // On a cluster, the transaction decides whether the lost machine is needed.
    if (isWorkerLost(error)) return null;
    throw error;
  });
  const hash = account?.passwordHash ?? newHash;
  return { hash, isSamePassword: await hasher.verify(hash, password) };
}

/**
 * How many statements it executes depends on whether the account exists. If the stored hash has changed since it was
 * verified, the new one is verified, and the transaction is repeated.
 *
 * Somebody else may have registered the address first. That person must not know the account's password once the
 * address is verified. So if the account is not verified and the password differs, no password matches the account any
 * more, the verification links that were sent before become invalid, and the email contains a link for choosing a new
 * password. The name becomes the email address, because either person may have typed the stored one. The same holds for
 * every later registration, whatever its password.
 */
async function register(
  deps: AppDeps,
  payload: RegisterPayload,
  options: { passwordHash: string; unusableHash: string; verified: Verified },
): Promise<void> {
  const { passwordHash, unusableHash, verified } = options;
  const now = deps.clock();
  const { username, email } = payload;
  const person = { username, email, passwordHash, createdAt: now };
  const isDone = await onAnyMachine(deps, async (tx, id) => {
    const { account, isNew } = await ensureAccount(tx, { ...person, id });
    if (!isNew && account.passwordHash !== verified.hash) return false;
    const isSamePassword = isNew || verified.isSamePassword;
    const content = account.isVerified
      ? alreadyRegisteredEmail(deps.publicUrl())
      : await linkEmail(deps, tx, account, { isSamePassword, unusableHash, now });
    await queueEmail(tx, { to: account.email, content, now, lifetimeMs: linkLifetimeMs });
    return true;
  });
  if (isDone) return deps.emailQueued();
  const again = await verifyStored(deps, payload, passwordHash);
  await register(deps, payload, { ...options, verified: again });
}

/**
 * How many ids are tried. The id decides on which machine the account is stored. With two machines, half of all ids
 * belong to the machine that still works.
 */
const maxIds = 16;

/** Runs a transaction with a new account's id. On a cluster that has lost a machine, tries further ids. */
async function onAnyMachine<Result>(
  { db }: AppDeps,
  work: (tx: Transaction, id: string) => Promise<Result>,
): Promise<Result> {
  for (let left = maxIds; ; left -= 1) {
    try {
      return await transaction(db, (tx) => work(tx, uuidv7()));
    } catch (error) {
      if (left === 1 || !isWorkerLost(error)) throw error;
    }
  }
}

async function linkEmail(
  deps: AppDeps,
  tx: Transaction,
  { id: userId, email }: Account,
  options: { isSamePassword: boolean; unusableHash: string; now: Date },
): Promise<EmailContent> {
  const { isSamePassword, unusableHash, now } = options;
  const issue = (kind: 'verify' | 'reset') =>
    issueAccountToken(tx, { userId, kind, now, lifetimeMs: linkLifetimeMs });
  if (isSamePassword) {
    const token = await issue('verify');
    return verificationEmail(`${deps.publicUrl()}${authPaths.verifyEmail}?token=${token}`);
  }
  // A link may have verified the account since it was read. Then it keeps its password.
  const { rowCount } = await tx
    .update(users)
    .set({ passwordHash: unusableHash })
    .where(and(eq(users.id, userId), eq(users.isVerified, false)));
  // The stored name may be the text of a stranger.
  if (rowCount === 1) await changeUsername(tx, userId, email);
  await revokeAccountTokens(tx, { userId, kinds: ['verify'] });
  return choosePasswordEmail(resetPasswordUrl(deps.publicUrl(), await issue('reset')));
}

async function verify(deps: AppDeps, token: string): Promise<boolean> {
  const given = { token, kind: 'verify', now: deps.clock() } as const;
  const userId = await findTokenOwner(deps.db.orm, given);
  if (userId === null) return false;
  return await transaction(deps.db, async (tx) => {
    if (!(await redeemAccountToken(tx, userId, given))) return false;
    await tx.update(users).set({ isVerified: true }).where(eq(users.id, userId));
    return true;
  });
}
