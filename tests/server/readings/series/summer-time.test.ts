import { afterEach, beforeEach, expect, test } from 'vitest';
import type { SeriesResponse } from '#contract/series.ts';
import type { ReadingLog } from '#domain/reading/reading.ts';
import { rollUpReadings } from '#server/readings/series/roll-up-job.ts';
import { testClock } from '../../../support/server/clock.ts';
import { requestAs } from '../../../support/server/request.ts';
import {
  type Account,
  addPlant,
  openTestServer,
  type TestServer,
} from '../../../support/server/server.ts';
import { naiveSeries, storeDirectly } from './support/naive-series.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

let server: TestServer;
let account: Account;
let plantId: string;
afterEach(() => server.close());
beforeEach(async () => {
  server = await openTestServer(testClock('2026-11-20T08:00:00.000Z'));
  // An outside PostgreSQL may have any time zone.
  server.db.pool.on('acquire', (client) => void client.query("SET timezone = 'Europe/Berlin'"));
  account = await server.addAccount();
  plantId = (await addPlant(server, account)).id;
});

async function rollUp(): Promise<void> {
  const onFailure = (code: string) => expect.fail(code);
  const { db, clock } = server;
  await rollUpReadings({ db, clock, onFailure, pause: async () => undefined });
}

/** Expects that the soil humidity of the year's series is the one computed directly from these readings. */
async function expectExact(readings: readonly ReadingLog[]): Promise<void> {
  const now = server.clock().getTime();
  const [from, to] = [now - 365 * dayMs, now].map((ms) => new Date(ms).toISOString());
  const url = `/api/logs/plant/${plantId}/series?from=${from}&to=${to}`;
  const series: SeriesResponse = (await requestAs(server, account)('GET', url)).json();
  const expected = naiveSeries(readings, series).soil_humidity;
  const mean = expected.mean.map((value) => value && Math.round(value * 100) / 100);
  expect(series.soil_humidity).toEqual({ ...expected, mean });
}

/** A reading in every hour of the four days around a time. The soil dries by 1 % in each of 20 hours. */
function readingsAround(moment: string): ReadingLog[] {
  const start = Date.parse(moment) - 2 * dayMs;
  return Array.from({ length: 96 }, (_, hour) =>
    readingAt(start + hour * hourMs, 60 - (hour % 20)),
  );
}

function readingAt(ms: number, soil_humidity: number): ReadingLog {
  const others = { air_humidity: null, temperature: null, luminance: null };
  return { timestamp: new Date(ms).toISOString(), soil_humidity, ...others };
}

test.each([
  ['ends', '2026-10-25T10:20:00Z'],
  ['begins', '2026-03-29T10:20:00Z'],
])(
  "a late reading on the day on which summer time %s in the database's time zone counts exactly, before and after the roll-up",
  async (_, moment) => {
    const readings = readingsAround(moment);
    await storeDirectly(server, account, plantId, readings);
    await rollUp();
    await expectExact(readings);
    const late = readingAt(Date.parse(moment) + hourMs / 2, 80);
    const payload = { plant_id: plantId, ...late };
    const response = await requestAs(server, account)('POST', '/api/logs', { payload });
    expect(response.statusCode).toBe(201);
    await expectExact([...readings, late]);
    await rollUp();
    await expectExact([...readings, late]);
  },
);
