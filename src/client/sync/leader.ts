import { liveQuery } from 'dexie';
import { liveStore } from '#client/store/live-store.ts';
import type { DeviceDb } from '#client/store/schema.ts';
import type { SyncContext } from './context.ts';
import { type Live, openLive } from './live/open-live.ts';
import { pull } from './pull/pull.ts';
import { recoverInflight } from './push/claim.ts';
import { push } from './push/push.ts';
import type { Schedule } from './schedule.ts';
import type { Sleeper } from './sleeper.ts';

/** What tests replace. */
export interface Replaceable {
  sleeper?: Sleeper;
  openLive?: typeof openLive;
}

/** Does what the schedule says until the signal aborts, the session ends, or the schedule stops. */
export async function lead(
  context: SyncContext,
  schedule: Schedule,
  { sleeper, openLive: open = openLive }: Replaceable = {},
): Promise<'stopped' | 'unauthorized'> {
  const { db, signal } = context;
  const unwatch = watchDatabase(db, schedule);
  const live = createLiveSwitch(context, schedule, open);
  try {
    await recoverInflight(context);
    await schedule.begin(signal, sleeper);
    while (!signal.aborted) {
      live.setOpen(schedule.isVisible());
      const step = await schedule.next();
      if (step === 'stop') return 'stopped';
      if (step === 'sleep') await schedule.sleep();
      else if (step === 'push') {
        const result = await push(context);
        if (result.type === 'unauthorized') return 'unauthorized';
        await schedule.pushed(result);
      } else {
        const result = await pull(context, !schedule.isLoaded());
        if (result.type === 'unauthorized') return 'unauthorized';
        schedule.pulled(result);
        if (result.type === 'done') live.retryNow();
      }
    }
    return 'stopped';
  } finally {
    live.setOpen(false);
    unwatch();
  }
}

/** Opens the live stream while the page is visible. */
function createLiveSwitch(
  { token, fetch, now, random }: SyncContext,
  schedule: Schedule,
  open: typeof openLive,
) {
  let abort: AbortController | null = null;
  let live: Live | null = null;
  return {
    setOpen: (isOpen: boolean) => {
      if (isOpen === (abort !== null)) return;
      abort?.abort();
      abort = isOpen ? new AbortController() : null;
      const onUpdate = schedule.live;
      live = abort && open({ token, fetch, now, random, signal: abort.signal, onUpdate });
    },
    /** The server answers again: a wait of our own before the next connection ends. */
    retryNow: () => live?.retryNow(),
  };
}

/**
 * Wakes the schedule for every change of the outbox and every round that a person requests, in whichever tab. While
 * changes stream in a few are skipped, never the last. Returns how to stop.
 */
export function watchDatabase(
  db: DeviceDb,
  schedule: Pick<Schedule, 'wake' | 'request'>,
): () => void {
  const newestOp = liveStore(db, () => db.outbox.toCollection().last());
  const changes = newestOp.subscribe(() => schedule.wake());
  let known: string | null = null;
  const requests = liveQuery(() => db.syncState.get('request')).subscribe({
    next: (row) => {
      const nonce = row?.id === 'request' ? row.nonce : '';
      const isNew = known !== null && nonce !== known;
      known = nonce;
      if (isNew) schedule.request('person');
    },
    error: (error) => console.error('Requests for a round cannot be read:', error),
  });
  return () => {
    changes.unsubscribe();
    requests.unsubscribe();
  };
}
