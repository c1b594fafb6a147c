import { ApiError } from '#client/api/http.ts';
import { fetchLogs } from '#client/api/plants.ts';
import { readPlants } from '#client/store/plants.ts';
import { readPriorityPlant } from '#client/store/readings.ts';
import type { LatestRow } from '#client/store/schema.ts';
import type { LogsQuery } from '#contract/logs.ts';
import { requestOptions, type SyncContext } from '../context.ts';
import { isBehind, type PlantLogs, putLogs } from './apply-readings.ts';
import { createBatcher, singleFlight } from './batcher.ts';
import { chunksOf } from './plant-rows.ts';

const maxConcurrent = 6;
/** The first request gets as many readings as a chart shows, later requests all newer readings. */
const firstLimit = 24;
const laterLimit = 200;

/**
 * Pulls the readings of the plants that have reported since: first those of the plant that was opened last, even if it
 * was opened during the pull, then in the order of the screens. A failed request does not stop the others, but after a
 * 429 no more are requested. After a 401, or once the signal aborts, nothing more is requested or written.
 */
export async function pullReadings(outer: SyncContext): Promise<void> {
  const { db } = outer;
  const calls = new AbortController();
  const abort = () => calls.abort();
  outer.signal.addEventListener('abort', abort);
  if (outer.signal.aborted) abort();
  const context = { ...outer, signal: calls.signal };
  const shown = (await readPlants(db)).map(({ record }) => String(record.id));
  const rows = (await db.latest.bulkGet(shown)).filter((row) => row !== undefined);
  const behind = rows.filter(isBehind);
  const priorityPlant = singleFlight(() => readPriorityPlant(db));
  const batcher = createBatcher((logs: PlantLogs[]) => saveLogs(context, logs));
  async function pullInTurn(): Promise<void> {
    while (behind.length > 0 && !calls.signal.aborted) {
      const first = await priorityPlant();
      const at = behind.findIndex(({ plantId }) => plantId === first);
      const [row] = behind.splice(Math.max(at, 0), 1);
      const result = row ? await fetchSince(context, row) : 'failed';
      if (result === 'later') behind.length = 0;
      else if (result !== 'failed') batcher.add(result);
    }
  }
  try {
    await Promise.all(Array.from({ length: maxConcurrent }, pullInTurn));
    await batcher.flush();
  } finally {
    // After one call has failed, calls in progress must no longer write; a running write is awaited.
    abort();
    await batcher.flush().catch(() => undefined);
    outer.signal.removeEventListener('abort', abort);
  }
}

/** 'later' if the server wants no further calls for now. Rejects for a 401. */
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
    if (!(error instanceof ApiError) || error.status === 401) throw error;
    console.warn(error.message);
    return error.status === 429 || error.status === 425 ? 'later' : 'failed';
  }
}

/** A plant that was deleted during the request gets no rows. */
async function saveLogs({ db, signal }: SyncContext, pulled: PlantLogs[]): Promise<void> {
  await db.transaction('rw', db.latest, db.readings, async () => {
    signal.throwIfAborted();
    for (const some of chunksOf(pulled)) await putLogs(db, some);
  });
}
