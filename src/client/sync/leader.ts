import { liveQuery } from 'dexie';
import { linkAbort } from '#client/api/link-abort.ts';
import { liveStore } from '#client/store/live-store.ts';
import { deleteOrphanedPhotos } from '#client/store/photos/photo-files.ts';
import type { DeviceDb } from '#client/store/schema.ts';
import type { SyncContext } from './context.ts';
import { type LiveStream, openLive } from './live/open-live.ts';
import { fetchWantedPhotos } from './pull/photos.ts';
import { pull } from './pull/pull.ts';
import { fetchWantedSeries } from './pull/series.ts';
import { recoverInflight } from './push/claim.ts';
import { push } from './push/push.ts';
import type { Requester, Schedule } from './schedule.ts';
import type { Sleeper } from './sleeper.ts';

/** Parts that tests replace. */
export interface Replaceable {
  sleeper?: Sleeper;
  openLive?: typeof openLive;
  /** Watches the database for changes that end a sleep of the schedule. */
  watch?: typeof watchDatabase;
}

/** Does what the schedule says until the signal aborts, the session ends, or the schedule stops. */
export async function lead(
  context: SyncContext,
  schedule: Schedule,
  { sleeper, openLive: open = openLive, watch = watchDatabase }: Replaceable = {},
): Promise<'stopped' | 'unauthorized'> {
  const { db, signal } = context;
  const unwatch = watch(db, schedule);
  const live = createLiveSwitch(context, schedule, open);
  // Aborted at the end, since the next leader fetches the same files.
  const leadership = linkAbort(signal);
  const fetching = { ...context, signal: leadership.signal };
  const photos = fetchWantedPhotos(fetching);
  // The next round gets the same 401 and ends the session.
  const series = fetchWantedSeries(fetching, () => schedule.request('page'));
  try {
    await recoverInflight(context);
    await deleteOrphanedPhotos(db);
    await schedule.begin(signal, sleeper);
    while (!signal.aborted) {
      live.setOpen(schedule.isVisible());
      const step = await schedule.next();
      if (step === 'stop') return 'stopped';
      if (step === 'sleep') {
        await schedule.sleep();
      } else if (step === 'push') {
        const result = await push(context);
        if (result.type === 'unauthorized') return 'unauthorized';
        await schedule.onPushed(result);
      } else {
        const result = await pull(context, !schedule.isLoaded());
        if (result.type === 'unauthorized') return 'unauthorized';
        schedule.onPulled(result);
        if (result.type !== 'done') continue;
        live.retryNow();
        photos.retryNow();
        series.retryNow();
      }
    }
    return 'stopped';
  } finally {
    live.setOpen(false);
    photos.stop();
    series.stop();
    leadership.abort();
    leadership.unlink();
    unwatch();
  }
}

/** Opens the live stream while the page is visible. A stream reports nothing once it is aborted, so this reports it. */
function createLiveSwitch(
  { token, fetch, now, random }: SyncContext,
  schedule: Schedule,
  open: typeof openLive,
) {
  let abort: AbortController | null = null;
  let stream: LiveStream | null = null;
  return {
    setOpen: (isOpen: boolean) => {
      if (isOpen === (abort !== null)) return;
      abort?.abort();
      if (!isOpen) schedule.onLiveUpdate({ type: 'closed' });
      abort = isOpen ? new AbortController() : null;
      const onUpdate = schedule.onLiveUpdate;
      stream = abort && open({ token, fetch, now, random, signal: abort.signal, onUpdate });
    },
    /** Call it when the server responds again. Ends the wait after a failed connection, and no other wait. */
    retryNow: () => stream?.retryNow(),
  };
}

/**
 * Wakes the schedule when, in any tab, the outbox changes, a person requests a round, or a history is opened that has
 * to be fetched. If several changes follow each other quickly, only the last one is certain to wake it. Returns a
 * function that stops it.
 */
function watchDatabase(db: DeviceDb, schedule: Pick<Schedule, 'wake' | 'request'>): () => void {
  const newestOp = liveStore(db, () => db.outbox.toCollection().last());
  const changes = newestOp.subscribe(() => schedule.wake());
  // Each of these rows gets a new nonce when it is written. The first value is not a new request, because it was stored
  // before this subscription.
  const follow = (id: 'request' | 'history', by: Requester) => {
    let last: string | null = null;
    return liveQuery(() => db.syncState.get(id)).subscribe({
      next: (row) => {
        const nonce = row?.id === 'request' || row?.id === 'history' ? row.nonce : '';
        const isNew = last !== null && nonce !== '' && nonce !== last;
        last = nonce;
        if (isNew) schedule.request(by);
      },
      error: (error) => console.error('Requests for a round cannot be read:', error),
    });
  };
  const requests = [follow('request', 'person'), follow('history', 'page')];
  return () => {
    changes.unsubscribe();
    for (const request of requests) request.unsubscribe();
  };
}
