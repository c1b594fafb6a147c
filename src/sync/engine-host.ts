import { type DeviceDb, openDeviceDb } from '#data/db.ts';
import { createSync, type Sync } from './create-sync.ts';
import type { FromWorker, ToWorker } from './messages.ts';
import { holdWebLock } from './web-locks.ts';

/** Runs the engine by messages: in a worker, or in the page where no worker can be made. */
export function hostEngine(tell: (message: FromWorker) => void): (message: ToWorker) => void {
  let open: { db: DeviceDb; sync: Sync } | null = null;
  let visible = false;

  function close(): void {
    const closing = open;
    open = null;
    void closing?.sync.stop().then(() => closing.db.close());
  }

  function start({ dbName, token }: ToWorker & { type: 'open' }): void {
    close();
    const db = openDeviceDb(dbName);
    const sync = createSync({
      db,
      token,
      fetch: (url, init) => fetch(url, init),
      now: Date.now,
      random: Math.random,
      isOnline: () => navigator.onLine,
      holdLock: holdWebLock,
      onUnauthorized: () => tell({ type: 'unauthorized', token }),
    });
    open = { db, sync };
    sync.setVisible(visible);
  }

  return (message) => {
    switch (message.type) {
      case 'open':
        return start(message);
      case 'visible':
        visible = message.visible;
        return open?.sync.setVisible(visible);
      case 'round':
        return open?.sync.wantRound();
      case 'leave':
        visible = false;
        return open?.sync.leave();
      case 'close':
        return close();
    }
  };
}
