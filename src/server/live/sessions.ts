import type { PersonSession } from '../accounts/session.ts';
import type { Database } from '../database/database.ts';
import type { StreamOwner } from './streams.ts';

/** When the session ends, ms; null if it has ended. */
export async function endOfSession(
  { pool }: Pick<Database, 'pool'>,
  { userId, sessionId }: PersonSession,
): Promise<number | null> {
  const { rows } = await pool.query<{ expires_at: Date }>({
    name: 'session-end',
    text: 'SELECT expires_at FROM sessions WHERE user_id = $1 AND id = $2',
    values: [userId, sessionId],
  });
  return rows[0]?.expires_at.getTime() ?? null;
}

/** The sessions of these streams that were deleted: by signing out, by a password reset or by housekeeping. */
export async function findEndedSessions(
  { pool }: Pick<Database, 'pool'>,
  streams: readonly StreamOwner[],
): Promise<ReadonlySet<string>> {
  const { rows } = await pool.query<{ id: string }>({
    name: 'present-sessions',
    // Compares both columns, so that the primary key is used. Session ids are unique across accounts.
    text: 'SELECT id FROM sessions WHERE user_id = ANY ($1::uuid[]) AND id = ANY ($2::uuid[])',
    values: [streams.map(({ userId }) => userId), streams.map(({ sessionId }) => sessionId)],
  });
  const present = new Set(rows.map(({ id }) => id));
  return new Set(streams.map(({ sessionId }) => sessionId).filter((id) => !present.has(id)));
}
