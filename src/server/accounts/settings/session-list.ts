import { and, desc, eq, gt, ne } from 'drizzle-orm';
import type { MessageResponse } from '#contract/plants.ts';
import { type AccountSession, profilePaths } from '#contract/settings/profile.ts';
import { notFound } from '../../http/api-error.ts';
import type { App, AppDeps } from '../../http/app-deps.ts';
import { rowIdOf } from '../../http/request-input.ts';
import { sessions } from '../schema.ts';
import { type PersonSession, requirePerson } from '../session.ts';

export function sessionListRoutes(app: App, deps: AppDeps): void {
  const { db, announcer } = deps;

  app.get(profilePaths.sessions, (request) => listSessions(deps, requirePerson(request)));

  app.delete(profilePaths.session, async (request): Promise<MessageResponse> => {
    const { userId } = requirePerson(request);
    const id = rowIdOf(request);
    const isOne = id !== null && and(eq(sessions.userId, userId), eq(sessions.id, id));
    const ended = isOne && (await db.orm.delete(sessions).where(isOne)).rowCount;
    if (!ended) throw notFound('Session');
    announcer.sessionsEnded(userId);
    return { message: 'Session ended' };
  });

  app.delete(profilePaths.sessions, async (request): Promise<MessageResponse> => {
    const { userId, sessionId } = requirePerson(request);
    await db.orm
      .delete(sessions)
      .where(and(eq(sessions.userId, userId), ne(sessions.id, sessionId)));
    announcer.sessionsEnded(userId);
    return { message: 'All other sessions ended' };
  });
}

/** The account's sessions, newest first, without expired ones. */
async function listSessions(
  { db, clock }: AppDeps,
  { userId, sessionId }: PersonSession,
): Promise<AccountSession[]> {
  const rows = await db.orm
    .select()
    .from(sessions)
    .where(and(eq(sessions.userId, userId), gt(sessions.expiresAt, clock())))
    .orderBy(desc(sessions.createdAt), desc(sessions.id));
  return rows.map((row) => ({
    id: row.id,
    created_at: row.createdAt.toISOString(),
    expires_at: row.expiresAt.toISOString(),
    client: row.client,
    is_current: row.id === sessionId,
  }));
}
