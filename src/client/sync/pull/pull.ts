import { ApiError } from '#client/api/http.ts';
import { linkAbort } from '#client/api/link-abort.ts';
import { fetchPlants, fetchPlantsWithReadings } from '#client/api/plants.ts';
import { newestSeq } from '#client/store/outbox/outbox.ts';
import { storeInsteadOfPhotos } from '#client/store/outbox/write-change.ts';
import type { DeviceDb } from '#client/store/schema.ts';
import { saveClockOffset } from '../clock-offset.ts';
import { connectivityWithoutResponse, saveConnectivity, setStatus } from '../connectivity.ts';
import { requestOptions, type SyncContext } from '../context.ts';
import { readListState } from '../rows/list-state.ts';
import { applyLists, type PulledLists } from './apply-lists.ts';
import { shareLoad } from './concurrency.ts';
import { pullJournals } from './journals.ts';
import { pullReadings } from './readings.ts';

export type PullResult =
  | { type: 'done' }
  | { type: 'unauthorized' }
  | { type: 'failed'; retryAfterMs: number | null }
  /** An op was added meanwhile, which is pushed before the rest is pulled. */
  | { type: 'interrupted' }
  /** The signal was aborted: the result is unknown, and nothing was written afterwards. */
  | { type: 'stopped' };

/** Maximum number of times that one pull requests the lists. It repeats them if they arrive out of date. */
const maxTries = 3;
/**
 * How long an op that is added during a pull waits at most for the pull's requests in progress. Aborting them at once
 * would close connections that the push can use, and discard responses that are about to arrive.
 */
const interruptAfterMs = 2_000;

/**
 * Updates plants, readings and journals: requests the list with readings, then the readings that it lacks, then the
 * journals that have changed. `isFirst`: no pull has succeeded in this tab yet, so both lists are requested together.
 *
 * An op that is added meanwhile is pushed first: no more readings are requested, and after at most 2 s the requests in
 * progress are aborted.
 */
export async function pull(outer: SyncContext, isFirst = true): Promise<PullResult> {
  const { signal, abort, unlink } = linkAbort(outer.signal);
  const context = { ...outer, signal };
  let timer: ReturnType<typeof setInterval> | undefined;
  try {
    const hasNewOp = await createNewOpCheck(context.db);
    const abortForOp = async () => {
      if (await hasNewOp()) abort();
    };
    // If the database fails, the pull fails too.
    timer = setInterval(() => void abortForOp().catch(() => undefined), interruptAfterMs);
    return await storeInsteadOfPhotos(context.db, () => pullAll(context, isFirst, hasNewOp));
  } catch (error) {
    const isUnauthorized = error instanceof ApiError && error.status === 401;
    if (isUnauthorized) return { type: 'unauthorized' };
    if (outer.signal.aborted) return { type: 'stopped' };
    if (signal.aborted) return { type: 'interrupted' };
    if (!(error instanceof ApiError)) throw error;
    const { status, message, retryAfterMs } = error;
    const connectivity = status === null ? connectivityWithoutResponse(context) : 'online';
    const failure = { pullError: message, pullFailedAt: context.now() };
    await setStatus(context.db, { connectivity, ...failure });
    return { type: 'failed', retryAfterMs };
  } finally {
    clearInterval(timer);
    unlink();
  }
}

/** Returns a function that resolves to whether an op was added after this call. Overlapping calls share one read. */
async function createNewOpCheck(db: DeviceDb): Promise<() => Promise<boolean>> {
  const newestAtStart = await newestSeq(db);
  return shareLoad(async () => (await newestSeq(db)) > newestAtStart);
}

async function pullAll(
  context: SyncContext,
  isFirst: boolean,
  hasNewOp: () => Promise<boolean>,
): Promise<PullResult> {
  const { db, signal } = context;
  let isApplied = false;
  for (let tries = 0; tries < maxTries && !isApplied; tries += 1) {
    isApplied = await applyLists(context, await fetchLists(context, isFirst));
  }
  if (!isApplied) {
    await setStatus(db, { pullFailedAt: context.now() });
    return { type: 'failed', retryAfterMs: null };
  }
  const isComplete = await pullReadings(context, hasNewOp);
  signal.throwIfAborted();
  if (!isComplete) return { type: 'interrupted' };
  await setStatus(db, { pulledAt: context.now(), pullError: null });
  await pullJournals(context);
  return { type: 'done' };
}

async function fetchLists(context: SyncContext, isFirst: boolean): Promise<PulledLists> {
  const { db, now } = context;
  const { generation, ...etags } = await readListState(db);
  const options = requestOptions(context);
  const sentAt = now();
  const [plants, withReadings] = await Promise.all([
    isFirst ? fetchPlants(options, etags.plantsEtag) : null,
    fetchPlantsWithReadings(options, etags.withReadingsEtag),
  ]);
  const receivedAt = now();
  await saveConnectivity(context, withReadings.response);
  await saveClockOffset(db, withReadings.response.serverTime, receivedAt, sentAt);
  return {
    generation,
    plants: plants && { list: plants.list, etag: plants.response.etag },
    withReadings: { list: withReadings.list, etag: withReadings.response.etag },
  };
}
