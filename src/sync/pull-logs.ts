import { ApiFailure } from '#api/ask.ts';
import { fetchLogs } from '#api/logs.ts';
import type { LogsQuery } from '#contract/logs.ts';
import type { ReadingsRow } from '#data/db.ts';
import { mergeReadings } from '#domain/reading-series.ts';
import { callOf, type SyncContext } from './context.ts';

const atOnce = 6;
/** As many as a chart shows, the first time; later whatever came since. */
const firstLimit = 24;
const laterLimit = 200;

/** Readings of the plants that reported since; one plant's failure leaves the others alone. */
export async function pullLogs(context: SyncContext): Promise<void> {
  const behind = (await context.db.readings.toArray()).filter(isBehind);
  const lanes = Array.from({ length: atOnce }, async () => {
    for (let row = behind.shift(); row; row = behind.shift()) await pullPlantLogs(context, row);
  });
  await Promise.all(lanes);
}

function isBehind({ latest, series }: ReadingsRow): boolean {
  if (latest.last_reading_time === null) return false;
  const [newest] = series.timestamp;
  return newest === undefined || Date.parse(latest.last_reading_time) > Date.parse(newest);
}

async function pullPlantLogs(context: SyncContext, row: ReadingsRow): Promise<void> {
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
  } catch (error) {
    if (!(error instanceof ApiFailure) || error.status === 401) throw error;
    console.warn(error.message);
  }
}
