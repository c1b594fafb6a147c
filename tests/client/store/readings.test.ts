import { expect, test, vi } from 'vitest';
import { watchReadings } from '#client/store/readings.ts';
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
