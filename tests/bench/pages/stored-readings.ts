import Dexie, { type Table } from 'dexie';
import { openDeviceDb } from '#client/store/database.ts';
import type { DeviceDb } from '#client/store/schema.ts';
import { pullReadings } from '#client/sync/pull/readings.ts';
import { createBatchSize } from '#client/sync/push/batch-size.ts';
import type { PlantRecord } from '#domain/plant/plant.ts';
import type { ReadingLog } from '#domain/reading/reading.ts';

/** The size of one pull: how many plants, and how many readings of all of them together. */
export interface PullSize {
  plants: number;
  readings: number;
}

export interface Stored {
  ms: number;
  rows: number;
}

declare global {
  interface Window {
    storePacked: (size: PullSize) => Promise<Stored>;
    storeLoose: (size: PullSize, at: 'once' | 'each response') => Promise<Stored>;
  }
}

const stepMs = 15 * 60_000;
const newest = Date.UTC(2026, 5, 30);

/** One response per plant, newest reading first; together they contain exactly `readings` readings. */
function responsesOf({ plants, readings }: PullSize): Map<string, ReadingLog[]> {
  const each = Math.floor(readings / plants);
  const entries = Array.from({ length: plants }, (_, plant) => {
    const count = each + (plant < readings % plants ? 1 : 0);
    const logs = Array.from({ length: count }, (_, i) => ({
      timestamp: new Date(newest - i * stepMs).toISOString(),
      soil_humidity: 40 + (i % 20),
      air_humidity: 50 + (i % 10),
      temperature: 18 + (i % 8),
      luminance: 2_000 + i,
    }));
    return [`plant-${plant}`, logs] as const;
  });
  return new Map(entries);
}

/** Stores the readings as the app does: requests those of each plant and stores them in one row per plant. */
window.storePacked = async (size) => {
  const name = `packed-${crypto.randomUUID()}`;
  const db = openDeviceDb(name);
  const bodies = new Map(
    [...responsesOf(size)].map(([id, logs]) => [id, JSON.stringify(logs)] as const),
  );
  await addPlants(db, [...bodies.keys()]);
  const started = performance.now();
  await pullReadings({
    db,
    fetch: async (input) => {
      const id = /\/plant\/([^/?]+)/.exec(String(input))?.[1] ?? '';
      const headers = { 'content-type': 'application/json' };
      return new Response(bodies.get(id), { headers });
    },
    token: '',
    now: Date.now,
    random: Math.random,
    isOnline: () => true,
    batchSize: createBatchSize(),
    signal: new AbortController().signal,
  });
  const ms = performance.now() - started;
  const rows = (await db.readings.toArray()).filter(({ series }) => series.timestamp.length > 0);
  await db.delete();
  return { ms, rows: rows.length };
};

/** Stores the same readings in one row per reading: one put for each response, or one put for all of them. */
window.storeLoose = async (size, at) => {
  const db = new Dexie(`loose-${crypto.randomUUID()}`);
  db.version(1).stores({ readings: '[plantId+timestamp]' });
  const readings: Table<ReadingLog & { plantId: string }> = db.table('readings');
  const bodies = [...responsesOf(size)].map(([id, logs]) => [id, JSON.stringify(logs)] as const);
  await db.open();
  const started = performance.now();
  const rowsOf = ([plantId, body]: (typeof bodies)[number]) =>
    (JSON.parse(body) as ReadingLog[]).map((log) => ({ plantId, ...log }));
  if (at === 'once') await readings.bulkPut(bodies.flatMap(rowsOf));
  else for (const response of bodies) await readings.bulkPut(rowsOf(response));
  const ms = performance.now() - started;
  const count = await readings.count();
  await db.delete();
  return { ms, rows: count };
};

/**
 * Stores plants as a pull of the list does: the device knows that they have new readings, but has not requested these
 * yet.
 */
async function addPlants(db: DeviceDb, ids: string[]): Promise<void> {
  const last_reading_time = new Date(newest).toISOString();
  const unknown = {
    latest_soil_humidity: null,
    latest_air_humidity: null,
    latest_temperature: null,
    latest_luminance: null,
  };
  await db.plants.bulkPut(
    ids.map((id) => ({ id, record: { id } as PlantRecord, etag: null, fetchedAt: 0, rev: 1 })),
  );
  const values = { ...unknown, last_reading_time };
  await db.latest.bulkPut(ids.map((plantId) => ({ plantId, values, newestKept: null, rev: 1 })));
}
