import { openDeviceDb } from '#client/store/database.ts';
import { countWaiting } from '#client/store/outbox/enqueue.ts';
import type { DeviceDb } from '#client/store/schema.ts';
import { forgetBackgroundToken, keepBackgroundToken } from './background/token.ts';
import { browser } from './browser.ts';
import { createSync, type Sync } from './create-sync.ts';
import { withWebLock } from './lock.ts';
import type { FromWorker, ToWorker } from './messages.ts';

type Opening = ToWorker & { type: 'open' };

/** Runs the engine by messages: in a worker, or in the page where no worker can be made. */
export function hostEngine(tell: (message: FromWorker) => void): (message: ToWorker) => void {
  let open: (Opening & { db: DeviceDb; sync: Sync }) | null = null;
  let visible = false;

  function start(opening: Opening): void {
    leave(({ db }) => db.close());
    const { dbName, token, isRemembered } = opening;
    const db = openDeviceDb(dbName);
    const sync = createSync({
      ...browser,
      db,
      token,
      withLock: withWebLock,
      onUnauthorized: () => tell({ type: 'unauthorized', token }),
      onHeldUp: tellHeldUp,
    });
    open = { ...opening, db, sync };
    sync.setVisible(visible);
    if (isRemembered) void keepBackgroundToken(db, token).catch(() => null);
  }

  function tellHeldUp(): void {
    if (open?.isRemembered) tell({ type: 'held-up', dbName: open.dbName });
  }

  /** Hidden, the page may end at any moment. */
  async function foresee(db: DeviceDb): Promise<void> {
    if ((await countWaiting(db)) > 0) tellHeldUp();
  }

  function leave(last: (left: { db: DeviceDb; token: string }) => unknown): void {
    const left = open;
    open = null;
    if (left) void left.sync.stop().then(() => last(left));
  }

  return (message) => {
    switch (message.type) {
      case 'open':
        return start(message);
      case 'visible':
        visible = message.visible;
        if (open && !visible) void foresee(open.db).catch(() => null);
        return open?.sync.setVisible(visible);
      case 'round':
        return open?.sync.wantRound();
      case 'leave':
        visible = false;
        return open?.sync.leave();
      case 'close':
        // The session has ended, however it did: nothing more is sent for it.
        return leave(async ({ db, token }) => {
          // What has been erased must not be made anew.
          if (db.isOpen()) await forgetBackgroundToken(db, token).catch(() => null);
          db.close();
        });
    }
  };
}
