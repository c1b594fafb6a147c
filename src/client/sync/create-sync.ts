import { createAlarm } from './alarm.ts';
import type { SyncContext } from './context.ts';
import { syncLockOf, type WithLock } from './lock.ts';
import { lead, type Watcher } from './loop.ts';
import { createPace } from './pace.ts';

export interface SyncDeps extends Omit<SyncContext, 'signal'> {
  withLock: WithLock;
  /** The server no longer knows the session. The engine has stopped; nothing is lost. */
  onUnauthorized: () => void;
  /** Something waits that this page may be gone before it can send. */
  onHeldUp: () => void;
}

/** The sync engine of one tab and one account. */
export interface Sync {
  setVisible: (visible: boolean) => void;
  /** A round now, whatever our backoff says: the network came back. */
  wantRound: () => void;
  /** The page goes away or is frozen: let another tab lead at once. */
  leave: () => void;
  stop: () => Promise<void>;
}

/** An engine that broke (a closed database, say) tries again, but not in a tight circle. */
const afterErrorMs = 5_000;

/** Starts an engine that competes for leadership whenever its page is visible. */
export function createSync(deps: SyncDeps): Sync {
  const watcher: Watcher = {
    hiddenSince: deps.now(),
    wants: 'nothing',
    pace: createPace(),
    ring: () => undefined,
    onHeldUp: deps.onHeldUp,
  };
  let turn: { abort: AbortController; leading: boolean; over: Promise<void> } | null = null;
  let ended = false;

  async function takeTurn(abort: AbortController): Promise<void> {
    const { signal } = abort;
    await deps
      .withLock(syncLockOf(deps.db), signal, async () => {
        if (turn) turn.leading = true;
        const outcome = await lead({ ...deps, signal }, watcher);
        if (outcome === 'unauthorized') {
          ended = true;
          deps.onUnauthorized();
        }
      })
      .catch(async (error: unknown) => {
        if (signal.aborted) return;
        console.error('Sync stopped:', error);
        await createAlarm(signal).sleep(afterErrorMs);
      });
    turn = null;
    if (watcher.hiddenSince === null && !ended) compete();
  }

  function compete(): void {
    if (turn || ended) return;
    const abort = new AbortController();
    turn = { abort, leading: false, over: Promise.resolve() };
    turn.over = takeTurn(abort);
  }

  function wantRound(): void {
    if (watcher.wants === 'nothing') watcher.wants = 'round';
    watcher.ring();
  }

  return {
    wantRound,
    setVisible: (visible) => {
      if (visible === (watcher.hiddenSince === null)) return;
      watcher.hiddenSince = visible ? null : deps.now();
      if (visible) {
        wantRound();
        compete();
      } else if (turn && !turn.leading) turn.abort.abort();
      else watcher.ring();
    },
    leave: () => {
      watcher.hiddenSince ??= deps.now();
      turn?.abort.abort();
    },
    stop: async () => {
      ended = true;
      turn?.abort.abort();
      await turn?.over;
    },
  };
}
