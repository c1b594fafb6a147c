import { expect, test, vi } from 'vitest';
import type { ReadingsRow } from '#data/db.ts';
import { watchLatestReading, watchReadings } from '#data/readings.ts';
import { mergeReadings } from '#domain/reading-series.ts';
import { freshDb, listenTo } from '../support/fresh-db.ts';

const row: ReadingsRow = {
  plantId: 's1',
  latest: {
    latest_soil_humidity: 0,
    latest_air_humidity: null,
    latest_temperature: 21.5,
    latest_luminance: null,
    last_reading_time: '2026-11-20T08:00:00Z',
  },
  series: mergeReadings(undefined, []),
  rev: 1,
};

test('the latest values of a plant are heard when they come, raw', async () => {
  const db = freshDb();
  const heard = listenTo(watchLatestReading(db, 's1'));
  await vi.waitFor(() => expect(heard).toEqual([undefined]));
  await db.readings.put(row);
  await vi.waitFor(() => expect(heard.at(-1)).toEqual(row.latest));
});

test('a plant that was made here has them under its local id too', async () => {
  const db = freshDb();
  await db.readings.put(row);
  const heard = listenTo(watchLatestReading(db, 'local-1'));
  await vi.waitFor(() => expect(heard).toEqual([undefined]));
  await db.idmap.add({ localId: 'local-1', serverId: 's1' });
  await vi.waitFor(() => expect(heard.at(-1)).toEqual(row.latest));
});

test('the whole row is heard with every new reading', async () => {
  const db = freshDb();
  const heard = listenTo(watchReadings(db, 's1'));
  await vi.waitFor(() => expect(heard).toEqual([undefined]));
  await db.readings.put(row);
  await vi.waitFor(() => expect(heard.at(-1)?.rev).toBe(1));
  await db.readings.put({ ...row, rev: 2 });
  await vi.waitFor(() => expect(heard.at(-1)?.rev).toBe(2));
});
