import { ApiError } from '#client/api/http.ts';
import { linkAbort } from '#client/api/link-abort.ts';
import { fetchLogs } from '#client/api/plants.ts';
import { readPlants } from '#client/store/plants.ts';
import { readPriorityPlant } from '#client/store/readings.ts';
import type { LatestRow } from '#client/store/schema.ts';
import type { LogsQuery } from '#contract/logs.ts';
import { requestOptions, type SyncContext } from '../context.ts';
import { chunksOf } from '../rows/plant-rows.ts';
import { lacksReadings, type PlantLogs, putReadings } from './apply-readings.ts';
import { createBatcher, shareLoad } from './concurrency.ts';

const maxConcurrent = 6;
/**
 * The first request of a plant gets as many readings as a chart shows. Later requests get newer readings, at most as
 * many as are stored.
 */
const firstLimit = 24;
const laterLimit = 200;

/**
 * Pulls the readings that are not stored yet: first those of the plant that was opened last, even if it was opened
 * during the pull, then those of the others, oldest plant first. A failed request does not stop the others, but after a
 * 425 or 429 no more are requested. Rejects after a 401. After that, or once the signal aborts, nothing more is
 * requested or written.
 *
 * `isInterrupted` is called before every request. Once it resolves to true no more are requested, and the result is
 * false if that left readings out.
 */
export async function pullReadings(
  outer: SyncContext,
  isInterrupted: () => Promise<boolean> = async () => false,
): Promise<boolean> {
  const { signal, abort, unlink } = linkAbort(outer.signal);
  const context = { ...outer, signal };
  const batcher = createBatcher((logs: PlantLogs[]) => saveLogs(context, logs));
  try {
    const isComplete = await fetchLackingReadings(context, batcher.add, isInterrupted);
    await batcher.flush();
    return isComplete;
  } finally {
    // After one call has failed, calls in progress must no longer write; a running write is awaited.
    abort();
    await batcher.flush().catch(() => undefined);
    unlink();
  }
}

/** Requests the readings of several plants at a time, and passes them on as they arrive. False if interrupted. */
async function fetchLackingReadings(
  context: SyncContext,
  onLogs: (logs: PlantLogs) => void,
  isInterrupted: () => Promise<boolean>,
): Promise<boolean> {
  const { db, signal } = context;
  const shown = (await readPlants(db)).map(({ record }) => String(record.id));
  const rows = (await db.latest.bulkGet(shown)).filter((row) => row !== undefined);
  const remaining = rows.filter(lacksReadings);
  const priorityPlant = shareLoad(() => readPriorityPlant(db));
  async function fetchInTurn(): Promise<void> {
    while (remaining.length > 0 && !signal.aborted && !(await isInterrupted())) {
      const first = await priorityPlant();
      const at = remaining.findIndex(({ plantId }) => plantId === first);
      const [row] = remaining.splice(Math.max(at, 0), 1);
      const result = row ? await fetchSince(context, row) : 'failed';
      if (result === 'later') remaining.length = 0;
      else if (result !== 'failed') onLogs(result);
    }
  }
  await Promise.all(Array.from({ length: maxConcurrent }, fetchInTurn));
  return remaining.length === 0;
}

/** later: the server wants no further calls for now. Rejects for a 401. */
async function fetchSince(
  context: SyncContext,
  { plantId, newestKept }: LatestRow,
): Promise<PlantLogs | 'failed' | 'later'> {
  const query: LogsQuery = newestKept
    ? { from: newestKept, limit: laterLimit }
    : { limit: firstLimit };
  try {
    return { plantId, logs: await fetchLogs(plantId, query, requestOptions(context)) };
  } catch (error) {
    const isAborted = context.signal.aborted;
    if (!(error instanceof ApiError) || error.status === 401 || isAborted) throw error;
    console.warn(error.message);
    return error.isPause ? 'later' : 'failed';
  }
}

/** A plant that was deleted during the request gets no rows. */
async function saveLogs({ db, signal }: SyncContext, pulled: PlantLogs[]): Promise<void> {
  await db.transaction('rw', db.latest, db.readings, async () => {
    signal.throwIfAborted();
    for (const some of chunksOf(pulled)) await putReadings(db, some);
  });
}
