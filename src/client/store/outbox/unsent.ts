import { liveQuery } from 'dexie';
import type { DeviceDb } from '../schema.ts';

/** Changes that the server does not have, refused ones included. */
export function countUnsent(db: DeviceDb): Promise<number> {
  return db.outbox.count();
}

/** Resolves once nothing is left to send, at latest after `ms`. */
export function whenAllSent(db: DeviceDb, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(finish, ms);
    const subscription = liveQuery(() => countUnsent(db)).subscribe({
      next: (count) => count === 0 && finish(),
      error: finish,
    });
    function finish(): void {
      clearTimeout(timer);
      subscription?.unsubscribe();
      resolve();
    }
  });
}
