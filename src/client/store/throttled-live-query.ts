import { liveQuery } from 'dexie';
import type { DeviceDb } from './schema.ts';

/**
 * A live query that waits between two reads. Dexie's own live query restarts at every change, and so never finishes
 * while changes arrive continuously.
 *
 *            change                done
 *   idle ─────────────► reading ─────────► waiting ── wait over ──► idle
 *                          │ change           │ change
 *                          ▼                  ▼
 *                       changed ─ done ──► changed and waiting ── wait over ──► reading
 *
 * A single change is read at once. While changes arrive continuously, the waits double up to `longestWaitMs`; a wait is
 * longer only after a slow read. The last change is always read.
 */

/** One frame; shorter waits would not be visible. */
const shortestWaitMs = 16;
/** A wait is at least three times as long as the read before it, so that reads take at most a quarter of the time. */
const waitPerRead = 3;
const longestWaitMs = 500;
/** A failed read is repeated after this time even without a change, because reopening the database causes no change. */
const waitAfterFailureMs = 1_000;

/** The clock and timer of the waits; tests pass their own. */
export interface Timer {
  /** ms, monotonic. */
  now: () => number;
  /** Calls `callback` once after `ms`; returns a function that cancels it. */
  schedule: (callback: () => void, ms: number) => () => void;
}

const platformTimer: Timer = {
  now: () => performance.now(),
  schedule(callback, ms) {
    const id = setTimeout(callback, ms);
    return () => clearTimeout(id);
  },
};

/**
 * Emits the result of `read` at first and after changes, until the returned function is called. `read` must not reject;
 * null means a failure and is not emitted.
 */
export function throttledLiveQuery<T extends object>(
  db: DeviceDb,
  read: () => Promise<T | null>,
  emit: (result: T) => void,
  timer: Timer = platformTimer,
): () => void {
  let isReading = false;
  let hasChanged = false;
  let isStopped = false;
  let waitsUntil = Number.NEGATIVE_INFINITY;
  let readsInARow = 0;
  let cancelTimer: () => void = () => undefined;
  let subscription: { unsubscribe: () => void } | null = null;
  // Creating the database counts as a change of every table, so a query that started before it would read twice. Do not
  // open a closed database, because its account may have signed out.
  if (db.isOpen() || db.hasBeenClosed() || db.hasFailed()) start();
  else void db.open().then(start, start);

  function start(): void {
    if (!isStopped) subscription = liveQuery(query).subscribe({});
  }

  /**
   * Dexie runs this after every change of the data that it read last. After a run that reads nothing, Dexie does not
   * run it again, so readAfterWait subscribes again.
   */
  async function query(): Promise<void> {
    const isWaiting = timer.now() < waitsUntil;
    hasChanged ||= isReading || isWaiting;
    if (isReading) return;
    if (isWaiting) return readAfterWait();
    readsInARow = hasChanged ? readsInARow + 1 : 0;
    isReading = true;
    hasChanged = false;
    const startedAt = timer.now();
    const result = await read();
    isReading = false;
    if (isStopped) return;
    const endedAt = timer.now();
    const waitMs = waitAfter(endedAt - startedAt, readsInARow);
    waitsUntil = endedAt + (result ? waitMs : waitAfterFailureMs);
    if (hasChanged || !result) readAfterWait();
    if (result) emit(result);
  }

  function readAfterWait(): void {
    if (isStopped) return;
    cancelTimer();
    cancelTimer = timer.schedule(() => {
      subscription?.unsubscribe();
      start();
    }, waitsUntil - timer.now());
  }

  return () => {
    isStopped = true;
    cancelTimer();
    subscription?.unsubscribe();
  };
}

function waitAfter(readMs: number, readsInARow: number): number {
  const leastMs = Math.max(shortestWaitMs, waitPerRead * readMs);
  return Math.max(leastMs, Math.min(leastMs * 2 ** readsInARow, longestWaitMs));
}
