import { expect } from 'vitest';
import { page } from 'vitest/browser';
import type { DeviceDb, SyncStatus } from '#client/store/schema.ts';
import { initialStatus } from '#client/store/sync-status.ts';
import type { PlantRecord } from '#domain/plant/plant.ts';
import type { ReadingLog } from '#domain/reading/reading.ts';
import { mergeReadings } from '#domain/reading/reading-arrays.ts';
import { plantRecord, plantRow } from '../device/device-rows.ts';

export const hourMs = 3_600_000;
export const dayMs = 24 * hourMs;

/** Thresholds: 25–70 % soil, 50–80 % air, 18–31 °C, 1000–20000 lux. Watered weekly, and not due. */
export function monty(changes: Partial<PlantRecord> = {}): PlantRecord {
  return plantRecord({
    id: 'monty',
    nickname: 'Monty',
    plant_name: 'Swiss Cheese Plant',
    species: 'Monstera deliciosa',
    watering_frequency: 7,
    ...wateredAgo(dayMs, 7),
    ideal_temperature_min: 18,
    ideal_temperature_max: 31,
    soil_humidity_threshold_min: 25,
    soil_humidity_threshold_max: 70,
    air_humidity_threshold_min: 50,
    air_humidity_threshold_max: 80,
    temperature_threshold_min: 18,
    temperature_threshold_max: 31,
    luminance_threshold_min: 1000,
    luminance_threshold_max: 20000,
    device_id: 'sprig-demo-01',
    ...changes,
  });
}

/** A plant that is overdue. */
export function zed(changes: Partial<PlantRecord> = {}): PlantRecord {
  const watered = wateredAgo(20 * dayMs, 14);
  return plantRecord({
    id: 'zed',
    nickname: 'Zed',
    watering_frequency: 14,
    ...watered,
    ...changes,
  });
}

/** When a plant was watered and is due again. */
export function wateredAgo(ms: number, frequencyDays: number) {
  const last = Date.now() - ms;
  return {
    last_watered: new Date(last).toISOString(),
    next_watering_date: new Date(last + frequencyDays * dayMs).toISOString(),
  };
}

/** Stores the records as a complete pull does. */
export async function pullPlants(db: DeviceDb, records: readonly PlantRecord[]): Promise<void> {
  await db.transaction('rw', db.plants, () =>
    Promise.all(records.map((record) => storePlant(db, record))),
  );
  await setSync(db, { pulledAt: Date.now(), connectivity: 'online' });
}

/** Stores a record of the server, with the next revision of its row: screens ignore a row whose revision they have. */
export async function storePlant(db: DeviceDb, record: PlantRecord): Promise<void> {
  const stored = await db.plants.get(String(record.id));
  await db.plants.put(plantRow(record, (stored?.rev ?? 0) + 1));
}

export async function setSync(db: DeviceDb, changes: Partial<SyncStatus>): Promise<void> {
  await db.syncState.put({ ...initialStatus, ...changes });
}

/** Stores the newest values of a plant's sensor and, unless `withReadings` is false, its readings too. */
export async function pullReadings(
  db: DeviceDb,
  plantId: string,
  logs: ReadingLog[],
  { withReadings = true } = {},
): Promise<void> {
  await db.transaction('rw', db.latest, db.readings, async () => {
    const kept = await db.readings.get(plantId);
    const before = await db.latest.get(plantId);
    const newest = mergeReadings(undefined, logs);
    await db.latest.put({
      plantId,
      values: {
        latest_soil_humidity: newest.soil_humidity[0] ?? null,
        latest_air_humidity: newest.air_humidity[0] ?? null,
        latest_temperature: newest.temperature[0] ?? null,
        latest_luminance: newest.luminance[0] ?? null,
        last_reading_time: newest.timestamp[0] ?? null,
      },
      newestKept: withReadings ? (newest.timestamp[0] ?? null) : null,
      storedAt: Date.now(),
      rev: (before?.rev ?? 0) + 1,
    });
    if (withReadings) await db.readings.put({ plantId, series: mergeReadings(kept?.series, logs) });
  });
}

export function readingAgo(hours: number, changes: Partial<ReadingLog> = {}): ReadingLog {
  const moment = Math.floor(Date.now() / 1000) * 1000 - hours * hourMs;
  const timestamp = new Date(moment).toISOString();
  return {
    timestamp,
    soil_humidity: 50,
    air_humidity: 55,
    temperature: 22,
    luminance: 3000,
    ...changes,
  };
}

/** One reading for each of the last 24 hours. */
export function dayOfReadings(): ReadingLog[] {
  return Array.from({ length: 24 }, (_, hour) =>
    readingAgo(hour, { soil_humidity: 40 + hour, temperature: 18 + (hour % 9) }),
  );
}

/** Simulates the sync worker: the server rejects the oldest waiting change. */
export async function rejectNext(db: DeviceDb, message: string, status = 422): Promise<void> {
  const op = await firstWaiting(db);
  await db.outbox.update(op.seq, {
    state: 'rejected',
    attempts: 1,
    lastError: { message, status },
  });
}

/**
 * Simulates the sync worker: the server confirms the oldest waiting change with this record, or with null if the plant
 * is deleted.
 */
export async function acceptNext(db: DeviceDb, record: PlantRecord | null): Promise<void> {
  const op = await firstWaiting(db);
  await db.transaction('rw', db.plants, db.outbox, db.idmap, async () => {
    if (record) await storePlant(db, record);
    else await db.plants.delete(op.entity);
    if (op.type === 'create' && record) {
      await db.idmap.put({ localId: op.entity, serverId: String(record.id) });
    }
    await db.outbox.delete(op.seq);
  });
}

async function firstWaiting(db: DeviceDb) {
  const first = async () =>
    (await db.outbox.orderBy('seq').toArray()).find(({ state }) => state === 'queued');
  await expect.poll(first).toBeDefined();
  const op = await first();
  if (!op) throw new Error('No change waits');
  return op;
}

export function plantCard(nickname: string) {
  return page.getByRole('article', { name: nickname });
}

/** Names of the plants that are shown, in order. */
export function shownPlants(): string[] {
  return [...document.querySelectorAll('article :is(h2, h3)')].map((name) => name.textContent);
}

export function dialog(name?: string) {
  return name === undefined ? page.getByRole('dialog') : page.getByRole('dialog', { name });
}

/** The text in the live region for screen readers, without the space after a repeated one. */
export function announced(): string | undefined {
  return document.querySelector('p[aria-live="polite"]')?.textContent.trim();
}
