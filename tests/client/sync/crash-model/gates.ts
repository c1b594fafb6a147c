import { Dexie } from 'dexie';
import type { DeviceDb } from '#client/store/schema.ts';

/** The context that ran into it is gone: nothing of it has any effect from here on. */
export class Crashed extends Error {}

/** A moment at which a context may be interrupted or end. */
export type Gate = (where: string) => Promise<void>;

/** Does something once all is over that was to be done before. */
export type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * A device's database that stops at a gate before every transaction. Between a transaction and the next one, or a
 * request, a context has no effect that outlives it: these gates, and those around each request, are all the moments
 * at which a crash can make a difference. `forbidOtherWrites` proves that no write goes past them.
 */
export function gatedDb(db: DeviceDb, gate: Gate, inTurn: InTurn = (work) => work()): DeviceDb {
  const transaction = async (...call: unknown[]) => {
    const run = () => Reflect.apply(db.transaction, db, call);
    if (Dexie.currentTransaction) return run();
    return inTurn(async () => {
      await gate(`before a transaction (${String(call[0])})`);
      return watched(db, run);
    });
  };
  return Object.create(db, {
    transaction: { value: transaction },
    open: { value: () => db.open() },
  });
}

const openTransactions = new WeakMap<DeviceDb, number>();

async function watched<T>(db: DeviceDb, run: () => Promise<T>): Promise<T> {
  openTransactions.set(db, (openTransactions.get(db) ?? 0) + 1);
  try {
    return await run();
  } finally {
    openTransactions.set(db, (openTransactions.get(db) ?? 0) - 1);
  }
}

/** Fails every write that did not come through a gate. Before the database is opened. */
export function forbidOtherWrites(db: DeviceDb): void {
  db.use({
    stack: 'dbcore',
    name: 'gates',
    create: (core) => ({
      ...core,
      transaction: (tables, mode, options) => {
        if (mode === 'readwrite' && !openTransactions.get(db)) {
          throw new Error(`a write to ${tables.join()} that no gate has seen`);
        }
        return core.transaction(tables, mode, options);
      },
    }),
  });
}
