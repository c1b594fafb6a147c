import { expect, test } from 'vitest';
import { watchLatest, watchReadings } from '#client/store/readings.ts';
import type { LatestRow } from '#client/store/schema.ts';
import { mergeReadings } from '#domain/reading/reading-arrays.ts';
import { latestRow } from '../../support/device/device-rows.ts';
import { freshDb, listenTo } from '../../support/device/fresh-db.ts';

const log = {
  timestamp: '2026-11-20T08:00:00Z',
  soil_humidity: 0,
  air_humidity: null,
  temperature: 21.5,
  luminance: null,
};

test('the latest values of a plant are emitted before its readings are stored', async () => {
  const db = freshDb();
  const emitted = listenTo(watchReadings(db, 's1'));
  await expect.poll(() => emitted).toEqual([undefined]);
  await db.latest.put(latestRow());
  await expect.poll(() => emitted.at(-1)?.latest).toEqual(latestRow().values);
  expect(emitted.at(-1)?.stored.timestamp).toEqual([]);
});

test('the stored readings of a plant are emitted again after each new one, also if its local id is watched', async () => {
  const db = freshDb();
  await db.idmap.add({ localId: 'local-1', serverId: 's1' });
  await db.latest.put(latestRow());
  const emitted = listenTo(watchReadings(db, 'local-1'));
  await expect.poll(() => emitted.at(-1)?.rev).toBe(1);
  await db.readings.put({ plantId: 's1', series: mergeReadings(undefined, [log]) });
  await db.latest.put(latestRow({ newestKept: log.timestamp, rev: 2 }));
  await expect.poll(() => emitted.at(-1)?.rev).toBe(2);
  expect(emitted.at(-1)?.stored.temperature).toEqual([21.5]);
});

const valuesOf = (rows: readonly (LatestRow | undefined)[]) => rows.map((row) => row?.values);

test('the latest values of a plant are emitted as the server sent them', async () => {
  const db = freshDb();
  const emitted = listenTo(watchLatest(db, 's1'));
  await expect.poll(() => emitted).toEqual([undefined]);
  const row = latestRow();
  await db.latest.put(row);
  await expect.poll(() => valuesOf(emitted)).toEqual([undefined, row.values]);
});

test('a plant made on this device is found by its local id too', async () => {
  const db = freshDb();
  await db.latest.put(latestRow());
  const emitted = listenTo(watchLatest(db, 'local-1'));
  await expect.poll(() => emitted).toEqual([undefined]);
  await db.idmap.add({ localId: 'local-1', serverId: 's1' });
  await expect.poll(() => valuesOf(emitted)).toEqual([undefined, latestRow().values]);
});

test('a new reading of another plant emits nothing', async () => {
  const db = freshDb();
  await db.latest.put(latestRow());
  const emitted = listenTo(watchLatest(db, 's1'));
  const other = listenTo(watchLatest(db, 's2'));
  await expect.poll(() => other).toEqual([undefined]);
  await db.latest.put(latestRow({ plantId: 's2' }));
  await expect.poll(() => other).toHaveLength(2);
  expect(emitted).toHaveLength(1);
});

test('a late subscriber gets the latest values at once', async () => {
  const db = freshDb();
  await db.latest.put(latestRow());
  const emitted = listenTo(watchLatest(db, 's1'));
  await expect.poll(() => emitted).toHaveLength(1);
  const later = watchLatest(db, 's1');
  expect(later.hasValue()).toBe(true);
  expect(later.getValue()?.values).toEqual(latestRow().values);
});
