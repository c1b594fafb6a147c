import { afterEach, beforeEach, expect, test } from 'vitest';
import type { SeriesResponse } from '#contract/series.ts';
import { measures, type ReadingLog } from '#domain/reading/reading.ts';
import { deleteOldReadings } from '#server/readings/retention.ts';
import { rollUpReadings } from '#server/readings/series/roll-up-job.ts';
import { seeded } from '../../../support/seeded.ts';
import { requestAs } from '../../../support/server/request.ts';
import {
  type Account,
  addPlant,
  login,
  openTestServer,
  type TestServer,
} from '../../../support/server/server.ts';
import { naiveSeries, randomReadings, storeDirectly } from './support/naive-series.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

const random = seeded(11);

let server: TestServer;
let account: Account;
let plantId: string;
let failures: string[];
beforeEach(async () => {
  server = await openTestServer();
  account = await server.addAccount();
  plantId = (await addPlant(server, account)).id;
  failures = [];
});
afterEach(async () => {
  expect(failures).toEqual([]);
  await server.close();
});

const now = () => server.clock().getTime();

function jobOptions() {
  const { db, clock } = server;
  const onFailure = (code: string) => void failures.push(code);
  return { db, clock, onFailure, pause: async () => undefined, keepDays: 400 };
}

/** Stores readings of a period that ends now. */
async function addReadings(count: number, days: number): Promise<ReadingLog[]> {
  const readings = randomReadings(random, count, now() - days * dayMs, now());
  await storeDirectly(server, account, plantId, readings);
  return readings;
}

/** Stores readings and runs the jobs by a clock that is ahead. Resolves to these readings. */
async function runAhead(days: number): Promise<ReadingLog[]> {
  server.clock.advance(days * dayMs);
  const readings = await addReadings(50, 0.2);
  await rollUpReadings(jobOptions());
  await deleteOldReadings(jobOptions());
  server.clock.advance(-days * dayMs);
  return readings;
}

/** Compares the charts with a naive computation. */
async function expectExact(readings: readonly ReadingLog[]): Promise<void> {
  account.token = await login(server.app, account.email, account.password);
  for (const days of [1, 7, 30, 365]) {
    const at = (ms: number) => new Date(ms).toISOString();
    const range = `from=${at(now() - days * dayMs)}&to=${at(now())}`;
    const url = `/api/logs/plant/${plantId}/series?${range}`;
    const got = (await requestAs(server, account)('GET', url)).json<SeriesResponse>();
    const expected = naiveSeries(readings, got);
    for (const measure of measures) {
      for (const part of ['min', 'max', 'mean'] as const) {
        const apart = got[measure][part].map((value, n) => {
          const other = expected[measure][part][n] ?? null;
          if (value === null || other === null) return value === other ? 0 : Number.NaN;
          return Math.abs(value - other);
        });
        expect(Math.max(...apart), `${days} days, ${measure} ${part}`).toBeLessThan(0.0051);
      }
    }
  }
}

test.each([1, 5, 90])(
  'charts are exact again once a clock that was %d days ahead is corrected, before and after each roll-up',
  async (daysAhead) => {
    const readings = await addReadings(2_000, 200);
    await rollUpReadings(jobOptions());
    readings.push(...(await runAhead(daysAhead)));
    await expectExact(readings);
    server.clock.advance(hourMs / 2);
    readings.push(...(await addReadings(30, 0.02)));
    await expectExact(readings);
    await rollUpReadings(jobOptions());
    await expectExact(readings);
    server.clock.advance(0.7 * dayMs);
    readings.push(...(await addReadings(300, 0.69)));
    await rollUpReadings(jobOptions());
    await expectExact(readings);
  },
);

test('weeks after a clock that was ahead is corrected, charts are exact and roll-ups end before now', async () => {
  const readings = await addReadings(1_000, 100);
  readings.push(...(await runAhead(90)));
  server.clock.advance(20 * dayMs);
  readings.push(...(await addReadings(1_000, 20)));
  await rollUpReadings(jobOptions());
  await expectExact(readings);
  const { rows } = await server.db.pool.query<{ until: Date }>(
    'SELECT rolled_until AS until FROM rollup_progress',
  );
  expect(rows[0]?.until.getTime()).toBeLessThanOrEqual(now() - hourMs);
});

test('after roll-ups by a clock that was ahead, retention still keeps the readings that no roll-up contains', async () => {
  await addReadings(100, 100);
  await runAhead(900);
  server.clock.advance(10 * dayMs);
  const later = await addReadings(500, 9);
  server.clock.advance(450 * dayMs);
  await deleteOldReadings(jobOptions());
  const { rows } = await server.db.pool.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM sensor_logs WHERE ts >= $1 AND ts < $2',
    [later.map(({ timestamp }) => timestamp).sort()[0], new Date(now())],
  );
  expect(rows[0]?.count).toBe(later.length);
  await rollUpReadings(jobOptions());
  await deleteOldReadings(jobOptions());
  const { rows: sums } = await server.db.pool.query<{ count: number }>(
    `SELECT sum(soil_humidity_count)::int AS count FROM reading_hours
      WHERE start >= $1::timestamptz - interval '1 hour' AND start < $2`,
    [later.map(({ timestamp }) => timestamp).sort()[0], new Date(now())],
  );
  expect(sums[0]?.count).toBe(later.length);
});

/** How many readings with soil humidity the roll-ups of the hours from `from` (ms) until now contain. */
async function rolledUpSince(from: number): Promise<number> {
  const { rows } = await server.db.pool.query<{ count: number }>(
    'SELECT sum(soil_humidity_count)::int AS count FROM reading_hours WHERE start >= $1 AND start < $2',
    [new Date(from), new Date(now())],
  );
  return rows[0]?.count ?? 0;
}

const withSoil = (readings: readonly ReadingLog[]) =>
  readings.filter(({ soil_humidity }) => soil_humidity !== null).length;

test('incomplete roll-ups of a clock that was ahead are replaced, although retention runs before by the right clock', async () => {
  const begun = now() - hourMs;
  const readings = await addReadings(20, 0.01);
  server.clock.advance(900 * dayMs);
  await addReadings(1, 0.2);
  await rollUpReadings(jobOptions());
  server.clock.advance(-900 * dayMs);
  // Of an hour that is rolled up already.
  readings.push(...(await addReadings(20, 0.01)));
  server.clock.advance(450 * dayMs);
  await deleteOldReadings(jobOptions());
  await rollUpReadings(jobOptions());
  expect(await rolledUpSince(begun)).toBe(withSoil(readings));
});

test('after retention by a clock that was ahead, a late reading is added to its roll-up', async () => {
  await runAhead(900);
  await rollUpReadings(jobOptions());
  const begun = now();
  server.clock.advance(dayMs);
  const readings = await addReadings(50, 0.5);
  await rollUpReadings(jobOptions());
  account.token = await login(server.app, account.email, account.password);
  const timestamp = new Date(now() - dayMs / 4).toISOString();
  const payload = { plant_id: plantId, timestamp, soil_humidity: 40 };
  await requestAs(server, account)('POST', '/api/logs', { payload });
  server.clock.advance(2 * hourMs);
  await rollUpReadings(jobOptions());
  expect(await rolledUpSince(begun)).toBe(withSoil(readings) + 1);
});
