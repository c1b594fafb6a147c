import { ApiError } from '#client/api/http.ts';
import { fetchPlants, fetchPlantsWithReadings } from '#client/api/plants.ts';
import { rememberOffset } from '../clock-offset.ts';
import { connectivityWithoutAnswer, recordConnectivity, setStatus } from '../connectivity.ts';
import { requestOptions, type SyncContext } from '../context.ts';
import { applyPull, type PulledLists } from './apply-pull.ts';
import { readListState } from './list-state.ts';
import { pullLogs } from './readings.ts';

export type PullResult =
  | { is: 'done' }
  | { is: 'unauthorized' }
  | { is: 'failed'; retryAfterMs: number | null };

/** Lists that were out of date on arrival are asked for again, but not for ever. */
const triesPerPull = 3;

/** Brings plants and readings up to date: both lists together, then the readings of plants that reported since. */
export async function pull(context: SyncContext): Promise<PullResult> {
  try {
    let isApplied = false;
    for (let tries = 0; tries < triesPerPull && !isApplied; tries += 1) {
      isApplied = await applyPull(context, await fetchLists(context));
    }
    if (!isApplied) return { is: 'failed', retryAfterMs: null };
    await pullLogs(context);
    await setStatus(context.db, { pulledAt: context.now(), pullError: null });
    return { is: 'done' };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { status, message, retryAfterMs } = error;
    if (status === 401) return { is: 'unauthorized' };
    if (!context.signal.aborted) {
      const connectivity = status === null ? connectivityWithoutAnswer(context) : 'online';
      await setStatus(context.db, { connectivity, pullError: message });
    }
    return { is: 'failed', retryAfterMs };
  }
}

async function fetchLists(context: SyncContext): Promise<PulledLists> {
  const { db } = context;
  const known = await readListState(db);
  const call = requestOptions(context);
  const askedAt = context.now();
  const [plants, withReadings] = await Promise.all([
    fetchPlants(call, known.plantsEtag),
    fetchPlantsWithReadings(call, known.withReadingsEtag),
  ]);
  const answeredAt = context.now();
  await recordConnectivity(context, withReadings.answer);
  await rememberOffset(db, withReadings.answer.serverTime, answeredAt, askedAt);
  return {
    generation: known.generation,
    plants: plants.value,
    plantsEtag: plants.answer.etag,
    withReadings: withReadings.value,
    withReadingsEtag: withReadings.answer.etag,
  };
}
