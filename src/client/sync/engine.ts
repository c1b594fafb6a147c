import type { SyncContext } from './context.ts';
import { lead } from './leader.ts';
import { syncLockOf, type WithLock } from './lock.ts';
import { createBatchSize } from './push/batch-size.ts';
import { createSchedule } from './schedule.ts';
import { createSleeper, type Sleeper } from './sleeper.ts';

export interface EngineDeps extends Omit<SyncContext, 'signal' | 'batchSize'> {
  withLock: WithLock;
  /** Called when the server no longer knows the session. The engine has stopped and the outbox is kept. */
  onUnauthorized: () => void;
  /** Called when ops wait and the page may be closed before they are sent, to register a background sync. */
  onOpsWaiting: () => void;
  /** Replaced by tests. */
  createSleeper?: typeof createSleeper;
}

/** The sync engine of one tab and one account. */
export interface Engine {
  setVisible: (visible: boolean) => void;
  /** Starts a round now without waiting for the client's own backoff, because the network is back. */
  requestRound: () => void;
  /** Lets another tab lead at once, because the page is being closed or frozen. */
  leave: () => void;
  stop: () => Promise<void>;
}

/** A request for the account's lock. It exists while the engine waits for the lock, leads, or waits after an error. */
interface LockRequest {
  abort: AbortController;
  /** Whether the lock was granted. Stays true while the engine waits after an error of the leader. */
  isGranted: boolean;
  ended: Promise<void>;
}

/** Starts an engine that requests the account's lock whenever its page is visible, and leads while it has the lock. */
export function createEngine(deps: EngineDeps): Engine {
  const schedule = createSchedule(deps);
  const batchSize = createBatchSize();
  const newSleeper = deps.createSleeper ?? createSleeper;
  let lockRequest: LockRequest | null = null;
  let isStopped = false;
  /** Waits after an error of the engine, such as a full or closed database. */
  let errorSleeper: Sleeper | null = null;

  async function leadOnceLocked({ signal }: AbortController): Promise<void> {
    await deps
      .withLock(syncLockOf(deps.db), signal, async () => {
        if (lockRequest) lockRequest.isGranted = true;
        const context = { ...deps, batchSize, signal };
        const end = await lead(context, schedule, { sleeper: newSleeper(signal) });
        if (end !== 'unauthorized') return;
        isStopped = true;
        deps.onUnauthorized();
      })
      .catch(async (error: unknown) => {
        if (signal.aborted) return;
        console.error('Sync stopped:', error);
        errorSleeper = newSleeper(signal);
        await errorSleeper.sleep(schedule.onError());
        errorSleeper = null;
      });
    lockRequest = null;
    if (schedule.isVisible()) requestLock();
  }

  function requestLock(): void {
    if (lockRequest || isStopped) return;
    const abort = new AbortController();
    lockRequest = { abort, isGranted: false, ended: Promise.resolve() };
    lockRequest.ended = leadOnceLocked(abort);
  }

  return {
    requestRound: () => {
      schedule.request('page');
      errorSleeper?.wake();
    },
    setVisible: (visible) => {
      if (visible === schedule.isVisible()) return;
      schedule.setVisible(visible);
      if (visible) {
        schedule.request('page');
        errorSleeper?.wake();
        requestLock();
      } else if (lockRequest && !lockRequest.isGranted) {
        lockRequest.abort.abort();
      } else {
        schedule.wake();
      }
    },
    leave: () => {
      schedule.setVisible(false);
      lockRequest?.abort.abort();
    },
    stop: async () => {
      isStopped = true;
      lockRequest?.abort.abort();
      await lockRequest?.ended;
    },
  };
}
