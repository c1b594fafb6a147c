import { liveQuery } from 'dexie';
import type { DeviceDb } from './schema.ts';
import { reportStorageProblem } from './storage-problem.ts';

/** A view of the database that stays true while anybody is subscribed to it. */
export interface LiveStore<T> {
  subscribe: (next: (value: T) => void) => { unsubscribe: () => void };
  hasValue: () => boolean;
  getValue: () => T;
}

/**
 * What `read` gives, again whenever any of it changes. All subscribers share one reading. The first change is told at
 * once; of many in a row, as when a long queue is sent, a few are skipped, never the last. A failure does not break
 * the screen that watches: it keeps what it shows, and the database's trouble says so in one place.
 */
export function liveStore<T>(db: DeviceDb, read: () => Promise<T>): LiveStore<T> {
  const listeners = new Set<{ next: (value: T) => void }>();
  let latest: { value: T } | null = null;
  let stop: (() => void) | null = null;
  const readSafely = () =>
    read().then(
      (value) => ({ value }),
      (error: unknown) => noteFailure(db, error),
    );
  const tell = (now: { value: T }) => {
    latest = now;
    for (const { next } of listeners) next(now.value);
  };
  return {
    subscribe(next) {
      const listener = { next };
      listeners.add(listener);
      if (latest) next(latest.value);
      stop ??= throttledLiveQuery(db, readSafely, tell);
      return {
        unsubscribe() {
          listeners.delete(listener);
          if (listeners.size > 0) return;
          stop?.();
          stop = null;
          latest = null;
        },
      };
    },
    hasValue: () => latest !== null,
    getValue() {
      if (!latest) throw new Error('Nothing has been read yet');
      return latest.value;
    },
  };
}

/** What is closed is told elsewhere. */
function noteFailure(db: DeviceDb, error: unknown): null {
  const name = (error as { name?: unknown } | null)?.name;
  if (name !== 'DatabaseClosedError' && name !== 'AbortError')
    reportStorageProblem(db.storageProblem, 'broken');
  return null;
}

/** A view of which there is one per database, whoever watches. */
export function sharedLiveQuery<T>(
  read: (db: DeviceDb) => Promise<T>,
): (db: DeviceDb) => LiveStore<T> {
  const known = new WeakMap<DeviceDb, LiveStore<T>>();
  return (db) => {
    const watched = known.get(db) ?? liveStore(db, () => read(db));
    known.set(db, watched);
    return watched;
  };
}

/** What `pick` takes from a view, told only when it is not the same as before. */
export function select<T, U>(
  whole: LiveStore<T>,
  pick: (value: T) => U,
  isSame: (one: U, other: U) => boolean,
): LiveStore<U> {
  return {
    subscribe(next) {
      let known: { value: U } | null = null;
      return whole.subscribe((value) => {
        const picked = pick(value);
        if (known && isSame(known.value, picked)) return;
        known = { value: picked };
        next(picked);
      });
    },
    hasValue: whole.hasValue,
    getValue: () => pick(whole.getValue()),
  };
}

/** A frame: nobody sees more. */
const leastRestMs = 16;
/** Reading takes at most a quarter of a slow device's time. */
const restPerReading = 3;
/** While changes stream in, each rest is twice as long as the last, up to this. */
const longestRestMs = 500;
/** What could not be read is tried again: a connection that was cut comes back without a change to hear of. */
const restAfterFailureMs = 1_000;

/**
 * A live query that rests between readings. On its own it would begin anew with each change, and under a stream of
 * them never come to an end.
 */
function throttledLiveQuery<T extends object>(
  db: DeviceDb,
  read: () => Promise<T | null>,
  tell: (result: T) => void,
): () => void {
  let isReading = false;
  let isStale = false;
  let isOver = false;
  let restsUntil = 0;
  let readingsInARow = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let live: { unsubscribe: () => void } | null = null;
  // To open it is a change of everything: what was read before would be read again.
  // What was closed, or could not be opened, is left as it is: it may have been erased.
  if (db.isOpen() || db.hasBeenClosed() || db.hasFailed()) listen();
  else void db.open().then(listen, listen);

  function listen(): void {
    if (!isOver) live = liveQuery(query).subscribe({});
  }

  /** A query that reads nothing hears nothing: whoever puts the reading off sees to the next one. */
  async function query(): Promise<void> {
    const isResting = performance.now() < restsUntil;
    isStale ||= isReading || isResting;
    if (isReading) return;
    if (isResting) return readAfterRest();
    readingsInARow = isStale ? readingsInARow + 1 : 0;
    isReading = true;
    isStale = false;
    const startedAt = performance.now();
    const result = await read();
    isReading = false;
    if (isOver) return;
    const endedAt = performance.now();
    const restMs = restAfter(endedAt - startedAt, readingsInARow);
    restsUntil = endedAt + (result ? restMs : restAfterFailureMs);
    if (isStale || !result) readAfterRest();
    if (result) tell(result);
  }

  function readAfterRest(): void {
    if (isOver) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      live?.unsubscribe();
      listen();
    }, restsUntil - performance.now());
  }

  return () => {
    isOver = true;
    clearTimeout(timer);
    live?.unsubscribe();
  };
}

function restAfter(readingMs: number, readingsInARow: number): number {
  const leastMs = Math.max(leastRestMs, restPerReading * readingMs);
  return Math.max(leastMs, Math.min(leastMs * 2 ** readingsInARow, longestRestMs));
}
