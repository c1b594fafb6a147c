import { ApiFailure } from '#api/ask.ts';
import { fetchLogs } from '#api/logs.ts';
import type { LogsQuery } from '#contract/logs.ts';
import type { DeviceDb, LatestRow } from '#data/db.ts';
import { readPlants } from '#data/plants.ts';
import { readLookedAt } from '#data/readings.ts';
import type { ReadingLog } from '#domain/reading.ts';
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
  const rows = (await db.latest.bulkGet(shown)).filter((row) => row !== undefined);
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

function isBehind({ values, newestKept }: LatestRow): boolean {
  if (values.last_reading_time === null) return false;
  return newestKept === null || Date.parse(values.last_reading_time) > Date.parse(newestKept);
}

/** False when the server wants no more calls for now. */
async function pullPlantLogs(
  context: SyncContext,
  { plantId, newestKept }: LatestRow,
): Promise<boolean> {
  const query: LogsQuery = newestKept
    ? { from: newestKept, limit: laterLimit }
    : { limit: firstLimit };
  try {
    await keepLogs(context.db, plantId, await fetchLogs(plantId, query, callOf(context)));
    return true;
  } catch (error) {
    if (!(error instanceof ApiFailure) || error.status === 401) throw error;
    console.warn(error.message);
    return error.status !== 429 && error.status !== 425;
  }
}

/** Unless the plant has gone meanwhile. */
async function keepLogs(db: DeviceDb, plantId: string, logs: ReadingLog[]): Promise<void> {
  await db.transaction('rw', db.latest, db.readings, async () => {
    const [latest, kept] = await Promise.all([db.latest.get(plantId), db.readings.get(plantId)]);
    if (!latest) return;
    const series = mergeReadings(kept?.series, logs);
    const newestKept = series.timestamp[0] ?? null;
    await db.readings.put({ plantId, series });
    await db.latest.put({ ...latest, newestKept, rev: latest.rev + 1 });
  });
}
