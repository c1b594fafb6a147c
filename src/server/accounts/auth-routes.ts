import { and, desc, eq, gt, notInArray } from 'drizzle-orm';
import { uuidv7 } from 'uuidv7';
import { authPaths, type LoginPayload, loginPayloadSchema } from '#contract/auth.ts';
import { hourMs } from '#domain/time.ts';
import { transaction } from '../database/transaction.ts';
import { ApiError } from '../http/api-error.ts';
import type { App, AppDeps } from '../http/app-deps.ts';
import { limitAttempts } from '../http/rate-limit.ts';
import { clientName } from './client-name.ts';
import { sessions, users } from './schema.ts';
import { requirePerson, requireSession } from './session.ts';
import { emailChangeRoute } from './settings/email-change.ts';
import { passwordChangeRoute } from './settings/password-change.ts';
import { profileRoutes } from './settings/profile.ts';
import { sessionListRoutes } from './settings/session-list.ts';
import { type Account, findAccount } from './sign-in-names.ts';

const rememberedSessionMs = 30 * 24 * hourMs;
const shortSessionMs = 12 * hourMs;
/** Of an account. A further one ends the oldest. */
const maxSessions = 50;

/** Routes that need no session. */
export function publicAuthRoutes(app: App, deps: AppDeps): void {
  app.post(authPaths.login, { schema: { body: loginPayloadSchema } }, async (request) => {
    const { body, ip } = request;
    const attempt = await limitAttempts(deps, 'login', body.username_or_email, ip);
    const account = await checkCredentials(deps, body);
    await attempt.uncount();
    if (!account.isVerified) throw notVerified();
    const client = clientName(request.headers['user-agent']);
    const session = await openSession(deps, account, { remember: body.rememberMe, client });
    // Rounded up to whole seconds. The session row is exact, so it ends the session at most a second before the token
    // expires.
    const exp = Math.ceil(session.expiresAt.getTime() / 1_000);
    return {
      access_token: app.jwt.sign({ sub: account.id, sid: session.id, exp }),
      device_key: account.deviceKey ?? account.email,
    };
  });
}

/** Routes of the signed-in person's own session and account. */
export async function sessionRoutes(app: App, deps: AppDeps): Promise<void> {
  await requireSession(app, deps.db, deps.clock);

  app.post(authPaths.logout, async (request) => {
    const session = requirePerson(request);
    await deps.db.orm
      .delete(sessions)
      .where(and(eq(sessions.userId, session.userId), eq(sessions.id, session.sessionId)));
    deps.announcer.sessionsEnded(session.userId);
    return { message: 'Signed out' };
  });

  profileRoutes(app, deps);
  emailChangeRoute(app, deps);
  passwordChangeRoute(app, deps);
  sessionListRoutes(app, deps);
}

async function checkCredentials(deps: AppDeps, payload: LoginPayload): Promise<Account> {
  const account = await findAccount(deps.db.orm, payload.username_or_email);
  // Verify a hash even for an unknown account, so that both error responses take equally long.
  const hash = account?.passwordHash ?? (await deps.unusablePasswordHash());
  const matches = await deps.hasher.verify(hash, payload.password);
  if (!account || !matches) throw wrongCredentials();
  return account;
}

function wrongCredentials(): ApiError {
  return new ApiError(401, 'unauthorized', 'Invalid username/email or password');
}

function notVerified(): ApiError {
  return new ApiError(
    403,
    'not_verified',
    'Email not verified. Please check your email for a verification link.',
  );
}

/**
 * Fails if the password was changed while it was being verified; otherwise the new session would survive that change.
 * Ends expired sessions, and the oldest ones of an account that has too many.
 */
async function openSession(
  deps: AppDeps,
  account: Account,
  { remember, client }: { remember: boolean; client: string | null },
) {
  const createdAt = deps.clock();
  const expiresAt = new Date(
    createdAt.getTime() + (remember ? rememberedSessionMs : shortSessionMs),
  );
  const session = { userId: account.id, id: uuidv7(), createdAt, expiresAt, client };
  const ended = await transaction(deps.db, async (tx) => {
    const isUnchanged = and(eq(users.id, account.id), eq(users.passwordHash, account.passwordHash));
    // Without this lock, parallel sign-ins could each keep the limit of sessions and exceed it together.
    const unchanged = await tx
      .select({ id: users.id })
      .from(users)
      .where(isUnchanged)
      .for('no key update');
    if (unchanged.length === 0) throw wrongCredentials();
    const kept = tx
      .select({ id: sessions.id })
      .from(sessions)
      .where(and(eq(sessions.userId, account.id), gt(sessions.expiresAt, createdAt)))
      .orderBy(desc(sessions.createdAt), desc(sessions.id))
      .limit(maxSessions - 1);
    const { rowCount } = await tx
      .delete(sessions)
      .where(and(eq(sessions.userId, account.id), notInArray(sessions.id, kept)));
    await tx.insert(sessions).values(session);
    return rowCount;
  });
  if (ended) deps.announcer.sessionsEnded(account.id);
  return session;
}
