import { isRejected } from '#client/store/outbox/op.ts';
import type { DeviceDb } from '#client/store/schema.ts';

const firstMs = 1_000;
/** The longest wait that the client chooses; the server may request a longer one. */
const longestMs = 60_000;
/** The longest wait that is accepted from a server. A time beyond it was stored before the clock was set back. */
export const longestRequestedMs = 3_600_000;
const pauseId = 'paused-until';
const pausedSinceId = 'paused-since';

/**
 * How long to wait after the nth failure in a row: random, up to 1 s, 2 s, 4 s … 60 s. At least a quarter of that, so
 * that there are always fewer than ten attempts in the first minute.
 */
export function backoffMs(failures: number, random: () => number): number {
  const ceiling = Math.min(longestMs, firstMs * 2 ** Math.max(0, failures - 1));
  return Math.round(ceiling * (0.25 + 0.75 * random()));
}

/** Limits failed attempts to ten in any minute, however often an unstable network or a person requests one. */
export interface FailureLimiter {
  /** Records a failed attempt (device's clock, ms). */
  recordFailure: (now: number) => void;
  /** When the next attempt may be made (device's clock, ms); 0: at once. */
  freeAt: (now: number) => number;
}

const windowMs = 60_000;
const failuresPerWindow = 10;

export function createFailureLimiter(): FailureLimiter {
  let failures: number[] = [];
  /** Ignores failures in the future, which were recorded before the clock was set back and would count for too long. */
  const recent = (now: number) => failures.filter((at) => at <= now && at > now - windowMs);
  return {
    recordFailure: (now) => {
      failures = [...recent(now), now];
    },
    freeAt: (now) => {
      const oldest = recent(now).at(-failuresPerWindow);
      return oldest === undefined ? 0 : oldest + windowMs;
    },
  };
}

/**
 * Stores that the server wants no requests from `now` until `until` (device's clock, ms), for this leader and the next.
 */
export async function savePause(db: DeviceDb, now: number, until: number): Promise<void> {
  await db.transaction('rw', db.meta, () =>
    db.meta.bulkPut([
      { id: pauseId, value: until },
      { id: pausedSinceId, value: now },
    ]),
  );
}

/** Until when the server wants no requests; 0 if there is no such pause, or if the clock was set back before it began. */
export async function readPause(db: DeviceDb, now: number): Promise<number> {
  const [end, start] = await db.meta.bulkGet([pauseId, pausedSinceId]);
  const until = Number(end?.value ?? 0);
  // A pause that an earlier version stored has no start.
  const since = Number(start?.value ?? 0);
  return since <= now && until > now && until <= now + longestRequestedMs ? until : 0;
}

/**
 * Ends the waits of ops, except those that only the server can have requested: over 60 s and at most an hour. `all`:
 * ends those too, and the pause that the server requested.
 */
export async function clearBackoff(db: DeviceDb, now: number, all: boolean): Promise<void> {
  await db.transaction('rw', db.outbox, db.meta, async () => {
    if (all) await db.meta.bulkDelete([pauseId, pausedSinceId]);
    const isKept = (wait: number) => !all && wait > longestMs && wait <= longestRequestedMs;
    const waiting = await db.outbox
      .filter((op) => op.nextAt > 0 && !isRejected(op) && !isKept(op.nextAt - now))
      .toArray();
    for (const op of waiting) await db.outbox.update(op.seq, { nextAt: 0 });
  });
}
