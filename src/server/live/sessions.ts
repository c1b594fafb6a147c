import type { PersonSession } from '../accounts/session.ts';
import type { Database } from '../database/database.ts';
import type { StreamOwner } from './streams.ts';

/** When the session ends, ms; null if it is over. */
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
    name: 'ended-sessions',
    text: `SELECT id::text FROM unnest($1::uuid[], $2::uuid[]) AS open (user_id, id)
      WHERE NOT EXISTS (SELECT FROM sessions s WHERE s.user_id = open.user_id AND s.id = open.id)`,
    values: [streams.map(({ userId }) => userId), streams.map(({ sessionId }) => sessionId)],
  });
  return new Set(rows.map(({ id }) => id));
}
