import { expect, test } from 'vitest';
import { applyReadings } from '#client/sync/pull/apply-readings.ts';
import { mergeReadings } from '#domain/reading/reading-arrays.ts';
import { freshDb } from '../../../support/device/fresh-db.ts';

const at = (minute: number) => new Date(Date.UTC(2026, 10, 20, 8, minute)).toISOString();

function reading(minute: number, soil_humidity: number) {
  const others = { air_humidity: null, temperature: null, luminance: null };
  return { timestamp: at(minute), soil_humidity, ...others };
}

function latest(minute: number, soil_humidity: number) {
  return {
    latest_soil_humidity: soil_humidity,
    latest_air_humidity: null,
    latest_temperature: null,
    latest_luminance: null,
    last_reading_time: at(minute),
  };
}

test('if a delta contains a changed plant and its new reading, its row of latest values is written once', async () => {
  const db = freshDb();
  const row = { plantId: 'p1', values: latest(0, 40), newestKept: at(0), rev: 1 };
  await db.latest.put(row);
  await db.readings.put({ plantId: 'p1', series: mergeReadings(undefined, [reading(0, 40)]) });
  let writes = 0;
  db.latest.hook('updating', () => {
    writes += 1;
  });
  await applyReadings(
    db,
    {
      type: 'delta',
      delta: {
        changed: [{ id: 'p1', ...latest(1, 39) }],
        removed: [],
        readings: { p1: [reading(1, 39)] },
      },
    },
    5_000,
  );
  expect(writes).toBe(1);
  expect(await db.latest.toArray()).toEqual([
    { plantId: 'p1', values: latest(1, 39), newestKept: at(1), storedAt: 5_000, rev: 2 },
  ]);
  expect((await db.readings.get('p1'))?.series.soil_humidity).toEqual([39, 40]);
});
