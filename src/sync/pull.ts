import { ApiFailure } from '#api/ask.ts';
import { fetchPlants, fetchPlantsWithReadings } from '#api/plants.ts';
import { applyPull, type PulledLists } from './apply-pull.ts';
import { rememberOffset } from './clock-offset.ts';
import { callOf, type SyncContext } from './context.ts';
import { pullLogs } from './pull-logs.ts';
import { noteReach, setStatus, unreachedBy } from './reach.ts';

export type PullResult = 'done' | 'failed' | 'unauthorized';

/** Brings plants and readings up to date: both lists together, then the readings of plants that reported since. */
export async function pull(context: SyncContext): Promise<PullResult> {
  try {
    const lists = await fetchLists(context);
    await applyPull(context, lists);
    await pullLogs(context);
    await setStatus(context.db, { pulledAt: context.now(), pullError: null });
    return 'done';
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
    if (error.status === 401) return 'unauthorized';
    if (context.signal.aborted) return 'failed';
    const reach = error.status === null ? unreachedBy(context) : 'online';
    await setStatus(context.db, { reach, pullError: error.message });
    return 'failed';
  }
}

async function fetchLists(context: SyncContext): Promise<PulledLists> {
  const { db } = context;
  const [plantsEtag, readingsEtag] = await db.meta.bulkGet(['etag:plants', 'etag:with-readings']);
  const call = callOf(context);
  const [plants, withReadings] = await Promise.all([
    fetchPlants(call, textOf(plantsEtag?.value)),
    fetchPlantsWithReadings(call, textOf(readingsEtag?.value)),
  ]);
  await noteReach(context, withReadings.answer);
  await rememberOffset(db, withReadings.answer.serverTime, context.now());
  return {
    plants: plants.value,
    plantsEtag: plants.answer.etag,
    withReadings: withReadings.value,
    withReadingsEtag: withReadings.answer.etag,
  };
}

function textOf(value: string | number | null | undefined): string | null {
  return typeof value === 'string' ? value : null;
}
