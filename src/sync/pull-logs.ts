import { ApiFailure } from '#api/ask.ts';
import { fetchLogs } from '#api/logs.ts';
import type { LogsQuery } from '#contract/logs.ts';
import type { ReadingsRow } from '#data/db.ts';
import { readPlants } from '#data/plants.ts';
import { readLookedAt } from '#data/readings.ts';
import { mergeReadings } from '#domain/reading-series.ts';
import { callOf, type SyncContext } from './context.ts';

const atOnce = 6;
/** As many as a chart shows, the first time; later whatever came since. */
const firstLimit = 24;
const laterLimit = 200;

/**
 * Readings of the plants that reported since: those of a plant that is looked at first, even if somebody opens it only
 * now, then in the order of the screens. One plant's failure leaves the others alone, but a server that asks for patience is left alone by all.
 */
export async function pullLogs(context: SyncContext): Promise<void> {
  const { db } = context;
  const shown = (await readPlants(db)).map(({ record }) => String(record.id));
  const rows = (await db.readings.bulkGet(shown)).filter((row) => row !== undefined);
  const behind = rows.filter(isBehind);
  const lanes = Array.from({ length: atOnce }, async () => {
    while (behind.length > 0) {
      const lookedAt = await readLookedAt(db);
      const at = behind.findIndex(({ plantId }) => plantId === lookedAt);
      const [row] = behind.splice(Math.max(at, 0), 1);
      const isWelcome = !row || (await pullPlantLogs(context, row));
      if (!isWelcome) behind.length = 0;
    }
  });
  await Promise.all(lanes);
}

function isBehind({ latest, series }: ReadingsRow): boolean {
  if (latest.last_reading_time === null) return false;
  const [newest] = series.timestamp;
  return newest === undefined || Date.parse(latest.last_reading_time) > Date.parse(newest);
}

/** False when the server wants no more calls for now. */
async function pullPlantLogs(context: SyncContext, row: ReadingsRow): Promise<boolean> {
  const [newest] = row.series.timestamp;
  const query: LogsQuery = newest ? { from: newest, limit: laterLimit } : { limit: firstLimit };
  try {
    const logs = await fetchLogs(row.plantId, query, callOf(context));
    await context.db.transaction('rw', context.db.readings, async () => {
      const current = await context.db.readings.get(row.plantId);
      if (!current) return;
      const series = mergeReadings(current.series, logs);
      await context.db.readings.put({ ...current, series, rev: current.rev + 1 });
    });
    return true;
  } catch (error) {
    if (!(error instanceof ApiFailure) || error.status === 401) throw error;
    console.warn(error.message);
    return error.status !== 429 && error.status !== 425;
  }
}
