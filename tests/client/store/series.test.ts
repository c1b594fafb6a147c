import { expect, test } from 'vitest';
import type { DeviceDb, SeriesRow } from '#client/store/schema.ts';
import { readWantedSeries, requestSeries, watchSeries } from '#client/store/series.ts';
import { deletePlantRows } from '#client/sync/rows/plant-rows.ts';
import type { RangeName } from '#domain/reading/ranges.ts';
import { bucketSeries } from '../../support/bucket-series.ts';
import { freshDb, listenTo } from '../../support/device/fresh-db.ts';

const now = Date.parse('2026-11-20T08:00:00Z');
const minuteMs = 60_000;

function stored(plantId: string, range: RangeName, changes: Partial<SeriesRow> = {}): SeriesRow {
  const row = { plantId, range, isWanted: 0, fetchedAt: now, hasFailed: false } as const;
  return { ...row, series: bucketSeries(range, { now }), ...changes };
}

const wanted = async (db: DeviceDb) =>
  (await readWantedSeries(db)).map(({ plantId, range }) => `${plantId} ${range}`);

test('a range that a screen requests, even by the local id of its plant, is wanted until it has been fetched', async () => {
  const db = freshDb();
  await db.idmap.add({ localId: 'local-1', serverId: 's1' });
  const emitted = listenTo(watchSeries(db, 'local-1', '7d'));
  await requestSeries(db, 'local-1', '7d', { by: 'screen', now });
  expect(await wanted(db)).toEqual(['s1 7d']);
  await db.series.put(stored('s1', '7d'));
  expect(await wanted(db)).toEqual([]);
  await expect.poll(() => emitted.at(-1)?.series?.step_seconds).toBe(3_600);
});

test.each([
  ['24h', 0.9 * minuteMs, []],
  ['24h', 1.1 * minuteMs, ['s1 24h']],
  ['1y', 59 * minuteMs, []],
  ['1y', 61 * minuteMs, ['s1 1y']],
  // The device's clock was ahead when it was fetched.
  ['1y', -minuteMs, ['s1 1y']],
] as const)(
  'a stored range of %s is requested again after %d ms: %j',
  async (range, ageMs, expected) => {
    const db = freshDb();
    await db.series.put(stored('s1', range, { fetchedAt: now - ageMs }));
    await requestSeries(db, 's1', range, { by: 'screen', now });
    expect(await wanted(db)).toEqual(expected);
    // The stored series stays until the response comes.
    expect((await db.series.get(['s1', range]))?.series?.count).toBeGreaterThan(100);
  },
);

test('a series that failed is requested again when the person asks for it', async () => {
  const db = freshDb();
  await db.series.put(stored('s1', '7d', { hasFailed: true }));
  await requestSeries(db, 's1', '7d', { by: 'person', now });
  expect(await db.series.get(['s1', '7d'])).toMatchObject({ isWanted: 1, hasFailed: false });
});

test('the series of a plant are deleted with it', async () => {
  const db = freshDb();
  await db.series.bulkPut([stored('s1', '7d'), stored('s1', '1y'), stored('s2', '7d')]);
  await deletePlantRows(db, ['s1']);
  expect((await db.series.toArray()).map(({ plantId }) => plantId)).toEqual(['s2']);
});
