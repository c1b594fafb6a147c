import { openDeviceDb } from '#client/store/database.ts';
import { countWaiting } from '#client/store/outbox/outbox.ts';
import type { DeviceDb } from '#client/store/schema.ts';
import { clearBackgroundToken, saveBackgroundToken } from './background/background.ts';
import { browserContext } from './context.ts';
import { createEngine, type Engine } from './engine.ts';
import { withWebLock } from './lock.ts';

/** Messages of the page to its sync worker. */
export type ToWorker =
  | { type: 'open'; dbName: string; token: string; isRemembered: boolean }
  | { type: 'visible'; visible: boolean }
  | { type: 'round' }
  | { type: 'leave' }
  | { type: 'close' };

/** Messages of the worker to its page. Everything else is data, and read by live query. */
export type FromWorker =
  /** Its script runs. */
  | { type: 'ready' }
  | { type: 'unauthorized'; token: string }
  /** Ops are waiting that may have to be sent after this page has closed. */
  | { type: 'ops-waiting'; dbName: string };

type OpenMessage = ToWorker & { type: 'open' };

/** Controls the engine by messages, in a worker or, if no worker can be started, in the page. */
export function hostEngine(post: (message: FromWorker) => void): (message: ToWorker) => void {
  let open: (OpenMessage & { db: DeviceDb; engine: Engine }) | null = null;
  let isVisible = false;

  function start(message: OpenMessage): void {
    stop(({ db }) => db.close());
    const { dbName, token, isRemembered } = message;
    const db = openDeviceDb(dbName);
    const engine = createEngine({
      ...browserContext,
      db,
      token,
      withLock: withWebLock,
      onUnauthorized: () => post({ type: 'unauthorized', token }),
      onOpsWaiting: reportOpsWaiting,
    });
    open = { ...message, db, engine };
    engine.setVisible(isVisible);
    if (isRemembered) void saveBackgroundToken(db, token).catch(() => null);
  }

  function reportOpsWaiting(): void {
    if (open?.isRemembered) post({ type: 'ops-waiting', dbName: open.dbName });
  }

  function stop(onStopped: (stopped: { db: DeviceDb }) => unknown): void {
    const stopped = open;
    open = null;
    if (stopped) void stopped.engine.stop().then(() => onStopped(stopped));
  }

  function setVisible(visible: boolean): void {
    isVisible = visible;
    open?.engine.setVisible(visible);
    if (!open || visible) return;
    // A hidden page may end at any moment.
    void countWaiting(open.db).then(
      (count) => count > 0 && reportOpsWaiting(),
      () => null,
    );
  }

  /** The session has ended: nothing more is sent for it. */
  function close(): void {
    if (!open) return;
    const { db, token } = open;
    // Clearing the token begins before the engine releases its lock, because a service worker that waits for the lock
    // would send with this token. Clearing may fail if the page deletes the database at the same time. A closed database
    // is not opened only for this.
    const cleared = db.isOpen() ? clearBackgroundToken(db, token).catch(() => null) : null;
    stop(async () => {
      await cleared;
      db.close();
    });
  }

  return (message) => {
    switch (message.type) {
      case 'open':
        return start(message);
      case 'visible':
        return setVisible(message.visible);
      case 'round':
        return open?.engine.requestRound();
      case 'leave':
        isVisible = false;
        return open?.engine.leave();
      case 'close':
        return close();
    }
  };
}
