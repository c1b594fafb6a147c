import type { ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';
import { type LiveEvent, liveHeartbeatMs } from '#contract/live.ts';
import { ApiError, unavailable } from '../http/api-error.ts';
import type { Clock } from '../http/app-deps.ts';
import { onceEnded } from '../http/request-end.ts';
import { announceEveryMs } from './message.ts';
import { throttleByKey } from './throttle.ts';

/** Whose stream it is. */
export interface StreamOwner {
  userId: string;
  sessionId: string;
  /** End of the session, ms. */
  expiresAt: number;
}

interface Stream extends StreamOwner {
  response: ServerResponse;
  /** ms */
  sentAt: number;
}

export interface StreamOptions {
  clock: Clock;
  /** Maximum number of streams of this process. */
  maxStreams: number;
  maxPerAccount: number;
  /**
   * Maximum number of unread bytes of a stream, beyond which it is closed. Buffers of the operating system do not
   * count.
   */
  maxBufferedBytes: number;
  /** How often streams are checked: whether they need a heartbeat, and whether their sessions have expired. */
  tickMs: number;
  /** Finds which sessions of these streams were deleted; resolves to their ids. */
  findEnded: (streams: readonly StreamOwner[]) => Promise<ReadonlySet<string>>;
}

export interface Streams {
  /** Writes the head and the first event. Throws an ApiError if there are too many streams or after `close`. */
  open: (owner: StreamOwner, reply: FastifyReply, writeHead: () => void) => void;
  changed: (userId: string) => void;
  /** Sends a change event to every account, spread over up to 10 s so that not all clients request at once. */
  allChanged: () => void;
  /** Ends the account's streams whose sessions were deleted. */
  checkSessions: (userId: string) => void;
  /** Ends all streams whose sessions were deleted. */
  checkAllSessions: () => void;
  endAll: () => void;
  /** Ends all streams and opens no more. */
  close: () => void;
}

const checkSessionsEveryMs = 60_000;
/** How long a client may take to read the end of its stream, ms; after that its connection is destroyed. */
const endGraceMs = 1_000;
const heartbeat = ':\n\n';

export function createStreams(options: StreamOptions): Streams {
  const { clock, maxStreams, maxPerAccount, maxBufferedBytes, tickMs, findEnded } = options;
  const byAccount = new Map<string, Set<Stream>>();
  let count = 0;
  let isClosed = false;
  let checkedAt = clock().getTime();
  /** Accounts that have not yet got the event of `allChanged`, and how many of them get it at each tick. */
  let missed: { userIds: string[]; perTick: number } = { userIds: [], perTick: 0 };
  let timer: ReturnType<typeof setInterval> | undefined;

  const all = () => [...byAccount.values()].flatMap((streams) => [...streams]);

  function add(stream: Stream): void {
    const streams = byAccount.get(stream.userId) ?? new Set();
    if (isClosed) throw unavailable('The server is stopping');
    if (streams.size >= maxPerAccount) endOldestOfSession(streams, stream.sessionId);
    if (streams.size >= maxPerAccount) throw tooManyOfAccount(maxPerAccount);
    if (count >= maxStreams) throw tooManyOfProcess();
    byAccount.set(stream.userId, streams.add(stream));
    count += 1;
    timer ??= setInterval(tick, tickMs).unref();
  }

  /** A phone that has changed its network opens a new stream long before the system reports the old one as closed. */
  function endOldestOfSession(streams: ReadonlySet<Stream>, sessionId: string): void {
    const oldest = [...streams].find((stream) => stream.sessionId === sessionId);
    if (oldest) end(oldest);
  }

  function remove(stream: Stream): void {
    const streams = byAccount.get(stream.userId);
    if (!streams?.delete(stream)) return;
    if (streams.size === 0) byAccount.delete(stream.userId);
    count -= 1;
    if (count > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  function write(stream: Stream, text: string): void {
    stream.sentAt = clock().getTime();
    stream.response.write(text);
    if (stream.response.writableLength > maxBufferedBytes) stream.response.destroy();
  }

  function end(stream: Stream): void {
    const { response } = stream;
    remove(stream);
    response.end();
    setTimeout(() => {
      if (!response.writableFinished) response.destroy();
    }, endGraceMs).unref();
  }

  function tick(): void {
    const now = clock().getTime();
    for (const streams of byAccount.values()) {
      for (const stream of streams) {
        if (now >= stream.expiresAt) end(stream);
        // The absolute difference, because a clock that is set back must not stop the heartbeat.
        else if (Math.abs(now - stream.sentAt) >= liveHeartbeatMs) write(stream, heartbeat);
      }
    }
    for (const userId of missed.userIds.splice(0, missed.perTick)) changed(userId);
    if (Math.abs(now - checkedAt) < checkSessionsEveryMs) return;
    checkedAt = now;
    void endRevoked(all());
  }

  async function endRevoked(streams: readonly Stream[]): Promise<void> {
    if (streams.length === 0) return;
    // If the database cannot be reached, no stream is ended now; the next check finds those that have to end.
    const ended = await findEnded(streams).catch(() => new Set<string>());
    for (const stream of streams) if (ended.has(stream.sessionId)) end(stream);
  }

  const changed = throttleByKey(announceEveryMs, (userId) => {
    for (const stream of byAccount.get(userId) ?? []) write(stream, textOf('change'));
  });

  function endAll(): void {
    for (const stream of all()) end(stream);
  }

  return {
    open: (owner, reply, writeHead) => {
      const { request, raw: response } = reply;
      const stream: Stream = { ...owner, response, sentAt: 0 };
      if (response.destroyed) return;
      add(stream);
      onceEnded(request, reply, () => remove(stream));
      writeHead();
      write(stream, textOf('open'));
    },
    changed: (userId) => {
      if (byAccount.has(userId)) changed(userId);
    },
    allChanged: () => {
      const userIds = [...byAccount.keys()];
      const ticks = allChangedWithinMs / tickMs;
      missed = {
        userIds,
        perTick: Math.max(minAccountsPerTick, Math.ceil(userIds.length / ticks)),
      };
      for (const userId of missed.userIds.splice(0, missed.perTick)) changed(userId);
    },
    checkSessions: (userId) => void endRevoked([...(byAccount.get(userId) ?? [])]),
    checkAllSessions: () => void endRevoked(all()),
    endAll,
    close: () => {
      isClosed = true;
      endAll();
    },
  };
}

const allChangedWithinMs = 10_000;
/** Minimum number of accounts per tick; fewer are not spread over several ticks. */
const minAccountsPerTick = 50;

function textOf(event: LiveEvent): string {
  return `event: ${event}\ndata: {}\n\n`;
}

function tooManyOfAccount(max: number): ApiError {
  const message = `An account can have ${max} live streams; close the app on a device that is not used`;
  return new ApiError(429, 'too_many_requests', message, { headers: retryAfter });
}

export function tooManyOfProcess(): ApiError {
  const message = 'The server has reached its limit of live streams';
  return new ApiError(503, 'unavailable', message, { headers: retryAfter });
}

const retryAfter = { 'retry-after': '60' };
