import { expect, test, vi } from 'vitest';
import { watchLatest, watchReadings } from '#client/store/readings.ts';
import type { LatestRow } from '#client/store/schema.ts';
import { mergeReadings } from '#domain/reading/series.ts';
import { latestRow } from '../../support/device-rows.ts';
import { freshDb, listenTo } from '../../support/fresh-db.ts';

const log = {
  timestamp: '2026-11-20T08:00:00Z',
  soil_humidity: 0,
  air_humidity: null,
  temperature: 21.5,
  luminance: null,
};

test('the latest values of a plant are heard before its series has come', async () => {
  const db = freshDb();
  const heard = listenTo(watchReadings(db, 's1'));
  await vi.waitFor(() => expect(heard).toEqual([undefined]));
  await db.latest.put(latestRow());
  await vi.waitFor(() => expect(heard.at(-1)?.latest).toEqual(latestRow().values));
  expect(heard.at(-1)?.series.timestamp).toEqual([]);
});

test('what is kept of a plant is heard with every new reading, under its local id too', async () => {
  const db = freshDb();
  await db.idmap.add({ localId: 'local-1', serverId: 's1' });
  await db.latest.put(latestRow());
  const heard = listenTo(watchReadings(db, 'local-1'));
  await vi.waitFor(() => expect(heard.at(-1)?.rev).toBe(1));
  await db.readings.put({ plantId: 's1', series: mergeReadings(undefined, [log]) });
  await db.latest.put(latestRow({ newestKept: log.timestamp, rev: 2 }));
  await vi.waitFor(() => expect(heard.at(-1)?.rev).toBe(2));
  expect(heard.at(-1)?.series.temperature).toEqual([21.5]);
});

const values = (heard: readonly (LatestRow | undefined)[]) => heard.map((row) => row?.values);

test('the latest values of a plant are heard when they come, raw', async () => {
  const db = freshDb();
  const heard = listenTo(watchLatest(db, 's1'));
  await vi.waitFor(() => expect(heard).toEqual([undefined]));
  const row = latestRow();
  await db.latest.put(row);
  await vi.waitFor(() => expect(values(heard)).toEqual([undefined, row.values]));
});

test('a plant that was made here has them under its local id too', async () => {
  const db = freshDb();
  await db.latest.put(latestRow());
  const heard = listenTo(watchLatest(db, 'local-1'));
  await vi.waitFor(() => expect(heard).toEqual([undefined]));
  await db.idmap.add({ localId: 'local-1', serverId: 's1' });
  await vi.waitFor(() => expect(values(heard)).toEqual([undefined, latestRow().values]));
});

test('the news of another plant is no news', async () => {
  const db = freshDb();
  await db.latest.put(latestRow());
  const heard = listenTo(watchLatest(db, 's1'));
  const other = listenTo(watchLatest(db, 's2'));
  await vi.waitFor(() => expect(other).toEqual([undefined]));
  await db.latest.put(latestRow({ plantId: 's2' }));
  await vi.waitFor(() => expect(other).toHaveLength(2));
  expect(heard).toHaveLength(1);
});

test('who comes later has them at once', async () => {
  const db = freshDb();
  await db.latest.put(latestRow());
  const heard = listenTo(watchLatest(db, 's1'));
  await vi.waitFor(() => expect(heard).toHaveLength(1));
  const later = watchLatest(db, 's1');
  expect(later.hasValue()).toBe(true);
  expect(later.getValue()?.values).toEqual(latestRow().values);
});
