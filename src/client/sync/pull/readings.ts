import { ApiError } from '#client/api/http.ts';
import { fetchLogs } from '#client/api/logs.ts';
import { readPlants } from '#client/store/plants.ts';
import { readPriorityPlant } from '#client/store/readings.ts';
import type { DeviceDb, LatestRow } from '#client/store/schema.ts';
import type { LogsQuery } from '#contract/logs.ts';
import type { ReadingLog } from '#domain/reading/reading.ts';
import { mergeReadings } from '#domain/reading/series.ts';
import { requestOptions, type SyncContext } from '../context.ts';
import { shared, together } from './batcher.ts';
import { chunksOf } from './plant-rows.ts';

const atOnce = 6;
/** As many as a chart shows, the first time; later whatever came since. */
const firstLimit = 24;
const laterLimit = 200;

/**
 * Readings of the plants that reported since: those of a plant that is looked at first, even if somebody opens it only
 * now, then in the order of the screens. One plant's failure leaves the others alone, but a server that asks for
 * patience is left alone by all. What comes while the device writes is written together, next.
 */
export async function pullLogs(context: SyncContext): Promise<void> {
  const { db } = context;
  const shown = (await readPlants(db)).map(({ record }) => String(record.id));
  const rows = (await db.latest.bulkGet(shown)).filter((row) => row !== undefined);
  const behind = rows.filter(isBehind);
  const lookedAt = shared(() => readPriorityPlant(db));
  const kept = together((answers: PlantLogs[]) => keepLogs(db, answers));
  const lanes = Array.from({ length: atOnce }, async () => {
    while (behind.length > 0) {
      const first = await lookedAt();
      const at = behind.findIndex(({ plantId }) => plantId === first);
      const [row] = behind.splice(Math.max(at, 0), 1);
      const answer = row ? await askForLogs(context, row) : 'none';
      if (answer === 'later') behind.length = 0;
      else if (answer !== 'none') kept.add(answer);
    }
  });
  // What came is kept, whatever became of the other calls.
  await Promise.all(lanes).finally(kept.end);
}

function isBehind({ values, newestKept }: LatestRow): boolean {
  if (values.last_reading_time === null) return false;
  return newestKept === null || Date.parse(values.last_reading_time) > Date.parse(newestKept);
}

interface PlantLogs {
  plantId: string;
  logs: ReadingLog[];
}

/** 'later' when the server wants no more calls for now. */
async function askForLogs(
  context: SyncContext,
  { plantId, newestKept }: LatestRow,
): Promise<PlantLogs | 'none' | 'later'> {
  const query: LogsQuery = newestKept
    ? { from: newestKept, limit: laterLimit }
    : { limit: firstLimit };
  try {
    return { plantId, logs: await fetchLogs(plantId, query, requestOptions(context)) };
  } catch (error) {
    if (!(error instanceof ApiError) || error.status === 401) throw error;
    console.warn(error.message);
    return error.status === 429 || error.status === 425 ? 'later' : 'none';
  }
}

/** Unless a plant has gone meanwhile. */
async function keepLogs(db: DeviceDb, answers: PlantLogs[]): Promise<void> {
  await db.transaction('rw', db.latest, db.readings, async () => {
    for (const some of chunksOf(answers)) {
      const plantIds = some.map(({ plantId }) => plantId);
      const [latest, known] = await Promise.all([
        db.latest.bulkGet(plantIds),
        db.readings.bulkGet(plantIds),
      ]);
      const merged = some.flatMap(({ plantId, logs }, i) => {
        const row = latest[i];
        if (!row) return [];
        const series = mergeReadings(known[i]?.series, logs);
        const newestKept = series.timestamp[0] ?? null;
        return { readings: { plantId, series }, latest: { ...row, newestKept, rev: row.rev + 1 } };
      });
      await db.readings.bulkPut(merged.map(({ readings }) => readings));
      await db.latest.bulkPut(merged.map(({ latest }) => latest));
    }
  });
}
