import { newOp, type Op } from '#client/store/outbox/op.ts';
import type { JournalRow, LatestRow, PlantRow } from '#client/store/schema.ts';
import type { JournalEntry } from '#domain/journal/entry.ts';
import type { PlantRecord } from '#domain/plant/plant.ts';
import { plantPayload } from '../factories.ts';

/** A plant as the server sends it: watered on 1 November, due on the 4th. */
export function plantRecord(changes: Partial<PlantRecord> = {}): PlantRecord {
  return {
    id: 'p1',
    ...plantPayload(),
    date_added: '2026-10-01T08:00:00.000Z',
    age: null,
    last_watered: '2026-11-01T08:00:00.000Z',
    next_watering_date: '2026-11-04T08:00:00.000Z',
    last_fertilized: null,
    health_status: 'Good',
    ...changes,
  };
}

export function plantRow(record: PlantRecord = plantRecord(), rev = 1): PlantRow {
  return { id: String(record.id), record, etag: null, fetchedAt: 0, rev };
}

/** The latest values of plant s1, which has no stored series. Its soil is dry, and some measures are missing. */
export function latestRow(changes: Partial<LatestRow> = {}): LatestRow {
  return {
    plantId: 's1',
    values: {
      latest_soil_humidity: 0,
      latest_air_humidity: null,
      latest_temperature: 21.5,
      latest_luminance: null,
      last_reading_time: '2026-11-20T08:00:00Z',
    },
    newestKept: null,
    rev: 1,
    ...changes,
  };
}

/** A watering by hand on 1 November, as the server sends it. */
export function journalEntry(changes: Partial<JournalEntry> = {}): JournalEntry {
  return {
    id: 'e1',
    type: 'watered',
    source: 'manual',
    at: '2026-11-01T08:00:00.000Z',
    note: null,
    amount_ml: null,
    soil_before: null,
    soil_after: null,
    days: null,
    reason: null,
    ...changes,
  };
}

/** The whole journal of p1: one watering. */
export function journalRow(changes: Partial<JournalRow> = {}): JournalRow {
  return {
    plantId: 'p1',
    version: 1,
    isPage: true,
    entries: [journalEntry()],
    next: null,
    photos: [],
    ...changes,
  };
}

/** An unsent edit of p1 by default. */
export function opRow(changes: Partial<Op> = {}): Op {
  const seq = changes.seq ?? 1;
  return {
    seq,
    ...newOp({ opId: `op-${seq}`, entity: 'p1', type: 'update', occurredAt: 0 }),
    ...changes,
  };
}

/** The fields of an op that was sent once and still has its frozen request. */
export const sentOnce = {
  request: { method: 'PUT', path: '/api/plants/p1', body: '{}', ifMatch: null },
  attempts: 1,
} as const satisfies Partial<Op>;
