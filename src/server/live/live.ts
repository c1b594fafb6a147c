import type { FastifyReply } from 'fastify';
import type { PersonSession } from '../accounts/session.ts';
import type { Database } from '../database/database.ts';
import { unauthorized, unavailable } from '../http/api-error.ts';
import type { Clock } from '../http/app-deps.ts';
import { type Announcer, createAnnouncer } from './announcer.ts';
import { createListener } from './listener.ts';
import {
  createStreams,
  type StreamOptions,
  type StreamOwner,
  tooManyOfProcess,
} from './streams.ts';

export type LiveLimits = Omit<StreamOptions, 'clock' | 'findEnded'>;

/**
 * Live streams and the announcements between server processes:
 *
 *   write, committed ── announcer ── NOTIFY ──► PostgreSQL ──► listener of each process ──► streams of the account
 */
export interface Live {
  announcer: Announcer;
  /** Turns the response into a stream of events. */
  open: (session: PersonSession, reply: FastifyReply) => Promise<void>;
  /** Ends all streams at once and opens no more. */
  endStreams: () => Promise<void>;
  /** Sends the last announcements and closes the LISTEN connection. */
  stop: () => Promise<void>;
}

const defaults: LiveLimits = {
  maxStreams: 5_000,
  maxPerAccount: 10,
  maxBufferedBytes: 16 * 1024,
  tickMs: 1_000,
};

export function createLive(
  { db, clock }: { db: Database; clock: Clock },
  overrides: Partial<LiveLimits> = {},
): Live {
  const limits = { ...defaults, ...overrides };
  const announcer = createAnnouncer(db);
  const streams = createStreams({
    ...limits,
    clock,
    findEnded: (open) => findEndedSessions(db, open),
  });
  /** Counts the events after which streams must be checked. */
  let sessionChecks = 0;
  const listener = createListener({
    db,
    onMessage: (message) => {
      if (message.type === 'change') streams.changed(message.userId);
      else if (message.type === 'sessions') {
        sessionChecks += 1;
        streams.checkSessions(message.userId);
      }
    },
    onRestored: () => {
      sessionChecks += 1;
      streams.checkAllSessions();
      streams.allChanged();
    },
    onUnavailable: streams.endAll,
  });
  return {
    announcer,
    open: async (session, reply) => {
      // Without streams the process needs no LISTEN connection.
      if (limits.maxStreams === 0) throw tooManyOfProcess();
      if (!(await listener.ready())) throw unavailable('Live updates are not available');
      const checksBefore = sessionChecks;
      const expiresAt = await endOfSession(db, session);
      if (expiresAt === null) throw unauthorized();
      const { userId, sessionId } = session;
      streams.open({ userId, sessionId, expiresAt }, reply, () => writeHead(reply));
      // The session may have been deleted after it was read, and its message checked only the streams that were open.
      if (sessionChecks !== checksBefore) streams.checkSessions(userId);
    },
    endStreams: async () => streams.close(),
    stop: async () => {
      await announcer.flush();
      await listener.stop();
    },
  };
}

/** Writes the head of the response without Fastify, whose compression would hold events back until it has many. */
function writeHead(reply: FastifyReply): void {
  reply.hijack();
  reply.headers({
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  });
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) reply.raw.setHeader(name, value);
  }
  reply.raw.writeHead(200);
}

/** When the session ends, ms; null if it was deleted. */
async function endOfSession(
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

/** Finds which sessions of these streams were deleted, for example by signing out, a new password or housekeeping. */
async function findEndedSessions(
  { pool }: Pick<Database, 'pool'>,
  streams: readonly StreamOwner[],
): Promise<ReadonlySet<string>> {
  const { rows } = await pool.query<{ id: string }>({
    name: 'present-sessions',
    // Compares both columns, so that the primary key is used. They need not be compared in pairs, because session ids
    // are unique across accounts.
    text: 'SELECT id FROM sessions WHERE user_id = ANY ($1::uuid[]) AND id = ANY ($2::uuid[])',
    values: [streams.map(({ userId }) => userId), streams.map(({ sessionId }) => sessionId)],
  });
  const present = new Set(rows.map(({ id }) => id));
  return new Set(streams.map(({ sessionId }) => sessionId).filter((id) => !present.has(id)));
}
