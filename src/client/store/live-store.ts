import { liveQuery } from 'dexie';
import type { DeviceDb } from './schema.ts';
import { reportStorageProblem } from './storage-problem.ts';
import { type Timer, throttledLiveQuery } from './throttled-live-query.ts';

/** A view of the database that stays up to date while it has subscribers. */
export interface LiveStore<T> {
  subscribe: (next: (value: T) => void) => { unsubscribe: () => void };
  hasValue: () => boolean;
  getValue: () => T;
}

/**
 * Emits the result of `read` whenever the data that it read changes. All subscribers share one query. If many changes
 * follow each other quickly, some results are skipped, but never the last. After a failed query, subscribers keep the
 * last value, and the storage problem 'broken' is reported unless the database was closed.
 */
export function liveStore<T>(db: DeviceDb, read: () => Promise<T>, timer?: Timer): LiveStore<T> {
  const listeners = new Set<{ next: (value: T) => void }>();
  let latest: { value: T } | null = null;
  let stop: (() => void) | null = null;
  const readSafely = () =>
    read().then(
      (value) => ({ value }),
      (error: unknown) => reportFailure(db, error),
    );
  const emit = (result: { value: T }) => {
    latest = result;
    for (const { next } of listeners) next(result.value);
  };
  return {
    subscribe(next) {
      const listener = { next };
      listeners.add(listener);
      if (latest) next(latest.value);
      stop ??= throttledLiveQuery(db, readSafely, emit, timer);
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

/** A closed database is not broken; database.ts reports why it was closed. */
function reportFailure(db: DeviceDb, error: unknown): null {
  const name = (error as { name?: unknown } | null)?.name;
  if (name !== 'DatabaseClosedError' && name !== 'AbortError')
    reportStorageProblem(db.storageProblem, 'broken');
  return null;
}

/** A live store that is created once per database and shared by all subscribers. */
export function sharedLiveStore<T>(
  read: (db: DeviceDb) => Promise<T>,
): (db: DeviceDb) => LiveStore<T> {
  const stores = new WeakMap<DeviceDb, LiveStore<T>>();
  return (db) => {
    const store = stores.get(db) ?? liveStore(db, () => read(db));
    stores.set(db, store);
    return store;
  };
}

/** A live store of one part of another store's value. A subscriber gets the part only when it differs from the last. */
export function select<T, U>(
  source: LiveStore<T>,
  pick: (value: T) => U,
  isSame: (one: U, other: U) => boolean = Object.is,
): LiveStore<U> {
  return {
    subscribe(next) {
      let last: { value: U } | null = null;
      return source.subscribe((value) => {
        const picked = pick(value);
        if (last && isSame(last.value, picked)) return;
        last = { value: picked };
        next(picked);
      });
    },
    hasValue: source.hasValue,
    getValue: () => pick(source.getValue()),
  };
}

/**
 * Resolves once `read`, which is repeated whenever the data that it read changes, gives an expected value or fails, and
 * after `ms` at the latest. Never rejects.
 */
export function whenRead<T>(
  read: () => Promise<T>,
  isExpected: (value: T) => boolean,
  ms: number,
): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(finish, ms);
    const subscription = liveQuery(read).subscribe({
      next: (value) => isExpected(value) && finish(),
      error: finish,
    });
    function finish(): void {
      clearTimeout(timer);
      subscription?.unsubscribe();
      resolve();
    }
  });
}
