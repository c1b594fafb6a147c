import { Dexie } from 'dexie';
import type { DeviceDb } from '#client/store/schema.ts';

/**
 * A point at which an engine may crash or be interrupted: before a transaction, before a request leaves, and after its
 * response has arrived. A crash at any other moment has the same effect as one at one of these points. `watchWrites`
 * checks that no write lacks such a point.
 */
export type CrashPoint =
  | { type: 'transaction'; mode: string }
  | { type: 'request'; method: string; url: string }
  /** `statuses`: of its operations. */
  | { type: 'response'; method: string; url: string; statuses: number[] };

/** Called at each crash point, before the engine continues. Rejects with CrashError when the engine crashes there. */
export type AtCrashPoint = (point: CrashPoint) => Promise<void>;

/** The engine has crashed: nothing that it still does has an effect. */
export class CrashError extends Error {}

/** Runs `work` after the work of all earlier calls. */
export type RunInOrder = <T>(work: () => Promise<T>) => Promise<T>;

/** A device's database with a crash point before every transaction. */
export function withCrashPoints(
  db: DeviceDb,
  atCrashPoint: AtCrashPoint,
  runInOrder: RunInOrder = (work) => work(),
): DeviceDb {
  const transaction = async (...call: unknown[]) => {
    const run = () => Reflect.apply(db.transaction, db, call);
    if (Dexie.currentTransaction) return run();
    return runInOrder(async () => {
      await atCrashPoint({ type: 'transaction', mode: String(call[0]) });
      return countTransaction(db, run);
    });
  };
  return Object.create(db, {
    transaction: { value: transaction },
    open: { value: () => db.open() },
  });
}

/** How many transactions with a crash point before them are open. */
const openTransactions = new WeakMap<DeviceDb, number>();

async function countTransaction<T>(db: DeviceDb, run: () => Promise<T>): Promise<T> {
  openTransactions.set(db, (openTransactions.get(db) ?? 0) + 1);
  try {
    return await run();
  } finally {
    openTransactions.set(db, (openTransactions.get(db) ?? 0) - 1);
  }
}

/**
 * Fails every write outside a transaction that has a crash point, and collects in `written` the names of the tables
 * that were changed. Call it before the database is opened.
 */
export function watchWrites(db: DeviceDb, written: Set<string>): void {
  db.use({
    stack: 'dbcore',
    name: 'crash points',
    create: (core) => ({
      ...core,
      transaction: (tables, mode, options) => {
        if (mode === 'readwrite' && !openTransactions.get(db)) {
          throw new Error(`a write to ${tables.join()} without a crash point before it`);
        }
        return core.transaction(tables, mode, options);
      },
      table: (name) => {
        const table = core.table(name);
        return {
          ...table,
          mutate: (request) => {
            written.add(name);
            return table.mutate(request);
          },
        };
      },
    }),
  });
}
