import { afterEach, beforeEach, expect, test } from 'vitest';
import type { SeriesResponse } from '#contract/series.ts';
import type { MeasureSeries } from '#domain/reading/bucket-series.ts';
import { measures, type ReadingLog } from '#domain/reading/reading.ts';
import { deleteOldReadings } from '#server/readings/retention.ts';
import { rollUpEnd } from '#server/readings/series/roll-up.ts';
import { rollUpReadings } from '#server/readings/series/roll-up-job.ts';
import { withFailingQueries } from '../../../support/database/failing-queries.ts';
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

function rollUps(pause = async (): Promise<unknown> => undefined) {
  const { db, clock } = server;
  return { db, clock, onFailure: (code: string) => void failures.push(code), pause };
}

async function series(days: number, points?: number): Promise<SeriesResponse> {
  const query = { from: iso(now() - days * dayMs), to: iso(now()), ...(points && { points }) };
  const url = `/api/logs/plant/${plantId}/series?${new URLSearchParams(query as never)}`;
  const response = await requestAs(server, account)('GET', url);
  expect(response.statusCode, response.body).toBe(200);
  return response.json();
}

const iso = (ms: number) => new Date(ms).toISOString();

/** Compares with a naive computation over these readings, for every range of the app. */
async function expectExact(readings: readonly ReadingLog[]): Promise<void> {
  for (const days of [1, 7, 30, 365]) {
    const got = await series(days);
    const expected = naiveSeries(readings, got);
    for (const measure of measures) expectClose(got[measure], expected[measure], `${days} days`);
  }
}

function expectClose(got: MeasureSeries, expected: MeasureSeries, name: string): void {
  for (const part of ['min', 'max', 'mean'] as const) {
    expect(got[part].map(isKnown), `${name} ${part}`).toEqual(expected[part].map(isKnown));
    const apart = got[part].map((value, i) => Math.abs((value ?? 0) - (expected[part][i] ?? 0)));
    expect(Math.max(...apart), `${name} ${part}`).toBeLessThan(0.0051);
  }
}

/** Expects that the plant is rolled up to the end of the hours that may be rolled up now. */
async function expectRolledUp(): Promise<void> {
  const { rows } = await server.db.pool.query('SELECT rolled_until FROM rollup_progress');
  expect(rows).toEqual([{ rolled_until: rollUpEnd(server.clock()) }]);
}

const isKnown = (value: number | null) => value !== null;

const random = seeded(7);
const someReadings = (count: number, days: number) =>
  randomReadings(random, count, now() - days * dayMs, now());

test.each([
  [1, 600, 145],
  [7, 3_600, 169],
  [30, 14_400, 181],
  [365, 172_800, 183],
])(
  'a series of %d days has buckets of %d s and is exact before and after readings are rolled up',
  async (days, step, most) => {
    const readings = someReadings(3_000, 365);
    await storeDirectly(server, account, plantId, readings);
    const before = await series(days);
    expect(before.step_seconds).toBe(step);
    expect(before.count).toBeGreaterThanOrEqual(most - 1);
    expect(before.count).toBeLessThanOrEqual(most + 1);
    await expectExact(readings);
    await rollUpReadings(rollUps());
    await expectExact(readings);
  },
);

test('buckets begin at multiples of their length in UTC+7, and buckets of two days begin at midnight', async () => {
  for (const [days, stepHours] of [
    [7, 1],
    [30, 4],
    [365, 48],
  ] as const) {
    const { start, count, step_seconds } = await series(days);
    const inZone = (Date.parse(start) + 7 * hourMs) / hourMs;
    expect(inZone % Math.min(stepHours, 24)).toBe(0);
    expect(Date.parse(start)).toBeLessThanOrEqual(now() - days * dayMs);
    const end = Date.parse(start) + count * step_seconds * 1000;
    expect(end).toBeGreaterThanOrEqual(now());
    expect(end - now()).toBeLessThan(step_seconds * 1000);
  }
});

test('a reading that arrives late or is corrected counts at once, and after the next roll-up', async () => {
  const readings = someReadings(2_000, 300);
  await storeDirectly(server, account, plantId, readings);
  await rollUpReadings(rollUps());
  const request = requestAs(server, account);
  const late = randomReadings(random, 20, now() - 299 * dayMs, now());
  const corrected = readings.slice(0, 20).map((log) => ({ ...log, soil_humidity: 99.5 }));
  for (const log of [...late, ...corrected]) {
    const payload = { plant_id: plantId, ...log };
    expect((await request('POST', '/api/logs', { payload })).statusCode).toBe(201);
  }
  const all = [...corrected, ...readings.slice(20), ...late];
  await expectExact(all);
  await rollUpReadings(rollUps());
  const { rows } = await server.db.pool.query('SELECT FROM rollup_due');
  expect(rows).toEqual([]);
  await expectExact(all);
});

test('an array of late readings marks each of their hours to be rolled up again', async () => {
  const known = someReadings(500, 30);
  await storeDirectly(server, account, plantId, known);
  await rollUpReadings(rollUps());
  const late = someReadings(500, 30);
  const readings = [...known, ...late];
  const payload = late.map((log) => ({ plant_id: plantId, ...log }));
  const response = await requestAs(server, account)('POST', '/api/logs', { payload });
  expect(
    response.json().results.filter(({ status }: { status: number }) => status !== 201),
  ).toEqual([]);
  await expectExact(readings);
  await rollUpReadings(rollUps());
  await expectExact(readings);
});

test('a current reading marks no hour to be rolled up again', async () => {
  const payload = { plant_id: plantId, soil_humidity: 40 };
  await requestAs(server, account)('POST', '/api/logs', { payload });
  const { rows } = await server.db.pool.query('SELECT FROM rollup_due');
  expect(rows).toEqual([]);
});

test('the roll-up job catches up after months without a run, also over a gap in the readings', async () => {
  const first = randomReadings(random, 400, now() - 200 * dayMs, now() - 190 * dayMs);
  await storeDirectly(server, account, plantId, first);
  await rollUpReadings(rollUps());
  server.clock.advance(100 * dayMs);
  account.token = await login(server.app, account.email, account.password);
  const second = randomReadings(random, 400, now() - 60 * dayMs, now());
  await storeDirectly(server, account, plantId, second);
  await rollUpReadings(rollUps());
  await expectRolledUp();
  await expectExact([...first, ...second]);
});

test('the first roll-up of a day repeats the last 48 hours, so that it contains readings that were stored without marking their hours', async () => {
  const readings = someReadings(500, 20);
  await storeDirectly(server, account, plantId, readings);
  await rollUpReadings(rollUps());
  server.clock.advance(18 * hourMs);
  const unmarked = randomReadings(random, 10, now() - 24 * hourMs, now() - 20 * hourMs);
  await storeDirectly(server, account, plantId, unmarked);
  await storeDirectly(server, account, plantId, someReadings(1, 0.5));
  await rollUpReadings(rollUps());
  const { rows } = await server.db.pool.query(
    'SELECT sum(soil_humidity_count)::int AS count FROM reading_hours',
  );
  const { rows: logs } = await server.db.pool.query(
    'SELECT count(soil_humidity)::int AS count FROM sensor_logs WHERE ts < (SELECT rolled_until FROM rollup_progress)',
  );
  expect(rows).toEqual(logs);
});

test('several processes may roll up at once, and one that is stopped leaves the rest for later', async () => {
  const readings = someReadings(3_000, 360);
  await storeDirectly(server, account, plantId, readings);
  const stopping = new AbortController();
  let steps = 0;
  const pause = async () => {
    steps += 1;
    if (steps === 3) stopping.abort();
  };
  await rollUpReadings(rollUps(pause), stopping.signal);
  expect(steps).toBe(3);
  await expectExact(readings);
  await Promise.all([1, 2, 3].map(() => rollUpReadings(rollUps())));
  await expectRolledUp();
  await expectExact(readings);
  await rollUpReadings(rollUps());
  await expectExact(readings);
});

test('a roll-up step that fails in the middle stores nothing', async () => {
  const readings = someReadings(300, 10);
  await storeDirectly(server, account, plantId, readings);
  const broken = await failingAt('roll-up-days');
  await rollUpReadings({ ...rollUps(), ...broken.options });
  expect(broken.failures).toEqual(['broken']);
  for (const table of ['reading_hours', 'reading_days', 'rollup_progress']) {
    const { rows } = await server.db.pool.query(`SELECT FROM ${table}`);
    expect(rows).toEqual([]);
  }
  await rollUpReadings(rollUps());
  await expectExact(readings);
});

test('if one plant cannot be rolled up, the others still are', async () => {
  const other = await addPlant(server, account);
  const broken = await failingAt('roll-up-days', [plantId, other.id].sort()[0]);
  for (const id of [plantId, other.id])
    await storeDirectly(server, account, id, someReadings(30, 3));
  await rollUpReadings({ ...rollUps(), ...broken.options });
  expect(broken.failures).toEqual(['broken']);
  const { rows } = await server.db.pool.query('SELECT plant_id AS id FROM rollup_progress');
  expect(rows).toEqual([{ id: [plantId, other.id].sort()[1] }]);
});

test('if the plants of one account cannot be listed, those of later accounts are still rolled up', async () => {
  const later = await server.addAccount();
  const other = await addPlant(server, later);
  await storeDirectly(server, account, plantId, someReadings(30, 3));
  await storeDirectly(server, later, other.id, someReadings(30, 3));
  const db = withFailingQueries(server.db, (statement) => {
    if (typeof statement === 'string' || statement.name !== 'plants-to-roll-up') return false;
    return statement.values?.includes(account.userId) ?? false;
  });
  const reported: string[] = [];
  await rollUpReadings({ ...rollUps(), db, onFailure: (code) => void reported.push(code) });
  expect(reported).toEqual(['RangeError']);
  const { rows } = await server.db.pool.query('SELECT plant_id AS id FROM rollup_progress');
  expect(rows).toEqual([{ id: other.id }]);
});

interface Named {
  name: string;
  values: unknown[];
}

/** The job's options with a database that fails at the statement `name`: for one plant, or for all. */
async function failingAt(name: string, plant?: string) {
  const { pool } = server.db;
  const connect = async (callback?: Parameters<typeof pool.connect>[0]) => {
    // Outside of transactions, `pool.query` calls connect() with a callback; such statements do not fail.
    if (callback) return pool.connect(callback);
    const client = await pool.connect();
    const query = client.query.bind(client);
    const failing = (statement: string | Named, ...rest: never[]) => {
      const isNamed = typeof statement === 'object' && statement.name === name;
      if (isNamed && (!plant || statement.values.includes(plant)))
        return Promise.reject(Object.assign(new Error(), { code: 'broken' }));
      return query(statement as never, ...rest);
    };
    return new Proxy(client, {
      get: (target, key) => {
        if (key === 'query') return failing;
        const value = Reflect.get(target, key) as unknown;
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
  };
  const own: string[] = [];
  const db = { ...server.db, pool: Object.assign(Object.create(pool), { connect }) };
  return {
    failures: own,
    options: { db, onFailure: (code: string) => void own.push(code) },
  };
}

test('keeps roll-ups, although readings are deleted and others arrive late', async () => {
  const readings = someReadings(2_000, 300);
  await storeDirectly(server, account, plantId, readings);
  const retention = { ...rollUps(), keepDays: 10 };
  // Nothing is deleted before it is rolled up.
  await deleteOldReadings(retention);
  await expectExact(readings);
  await rollUpReadings(rollUps());
  await deleteOldReadings(retention);
  const { rows } = await server.db.pool.query('SELECT count(*)::int AS count FROM sensor_logs');
  expect(rows[0].count).toBeLessThan(200);
  const whole = await series(300);
  const kept = naiveSeries(readings, whole);
  expectClose(whole.temperature, kept.temperature, 'after the deletion');
  // After a late reading, an hour whose other readings are deleted must keep its roll-up.
  const old = readings[5];
  if (!old) throw new Error('no reading');
  const payload = { plant_id: plantId, timestamp: old.timestamp, temperature: 79 };
  await requestAs(server, account)('POST', '/api/logs', { payload });
  await rollUpReadings(rollUps());
  expectClose((await series(300)).temperature, kept.temperature, 'after a late reading');
  // The same applies after the retention is made longer.
  await deleteOldReadings({ ...retention, keepDays: 400 });
  await requestAs(server, account)('POST', '/api/logs', { payload });
  await rollUpReadings(rollUps());
  expectClose((await series(300)).temperature, kept.temperature, 'after a longer retention');
});

test('a series has one entry for the waterings of each bucket and source, with time, total amount and count', async () => {
  const at = (daysAgo: number, minutes = 0) => new Date(now() - daysAgo * dayMs + minutes * 60_000);
  for (const [moment, source, ml] of [
    [at(5), 'manual', null],
    [at(3), 'auto', 120],
    [at(3, 1), 'auto', 80.5],
    [at(3, 2), 'manual', 200],
    [at(2), 'removed', 60],
    [at(40), 'auto', 50],
  ] as const) {
    await server.db.pool.query(
      `INSERT INTO waterings (user_id, plant_id, id, watered_at, source, amount_ml, removed_at)
        VALUES ($1, $2, gen_random_uuid(), $3, $4, $5, $6)`,
      [
        ...[account.userId, plantId, moment],
        ...(source === 'removed' ? ['manual', ml, moment] : [source, ml, null]),
      ],
    );
  }
  const inSeconds = (moment: Date) => `${moment.toISOString().slice(0, 19)}Z`;
  expect((await series(7)).waterings).toEqual({
    at: [at(5), at(3, 1), at(3, 2)].map(inSeconds),
    amount_ml: [null, 200.5, 200],
    source: ['manual', 'auto', 'manual'],
    count: [1, 2, 1],
  });
});

test('a plant without readings has buckets without values', async () => {
  const { count, temperature, waterings } = await series(7);
  expect(temperature.mean).toEqual(new Array(count).fill(null));
  expect(waterings.at).toEqual([]);
});

test('an unchanged series is a 304, a changed one is not', async () => {
  const request = requestAs(server, account);
  const url = `/api/logs/plant/${plantId}/series?from=${iso(now() - dayMs)}&to=${iso(now() + 1)}`;
  const { etag } = (await request('GET', url)).headers;
  const again = await request('GET', url, { ifNoneMatch: String(etag) });
  expect([again.statusCode, again.body]).toEqual([304, '']);
  await request('POST', '/api/logs', { payload: { plant_id: plantId, temperature: 20 } });
  expect((await request('GET', url, { ifNoneMatch: String(etag) })).statusCode).toBe(200);
});

test("another account's plant is a 404, like an unknown one", async () => {
  const other = requestAs(server, await server.addAccount());
  const query = `from=${iso(now() - dayMs)}&to=${iso(now())}`;
  for (const id of [plantId, '01890000-0000-7000-8000-000000000000', 'not an id']) {
    const response = await other('GET', `/api/logs/plant/${id}/series?${query}`);
    expect(response.statusCode).toBe(404);
    expect(response.json()).toEqual({ code: 'not_found', message: 'Plant not found' });
  }
  const url = `/api/logs/plant/${plantId}/series?${query}`;
  expect((await requestAs(server, null)('GET', url)).statusCode).toBe(401);
});

test.each([
  [
    '',
    [
      ['query', 'from'],
      ['query', 'to'],
    ],
  ],
  ['from=2026-11-01T00:00:00Z', [['query', 'to']]],
  ['from=yesterday&to=2026-11-01T00:00:00Z', [['query', 'from']]],
  ['from=2026-11-02T00:00:00Z&to=2026-11-01T00:00:00Z', [['query', 'to']]],
  ['from=2026-11-01T00:00:00Z&to=2026-11-01T00:00:00Z', [['query', 'to']]],
  ['from=2026-11-01T00:00:00Z&to=2026-11-02T00:00:00Z&points=201', [['query', 'points']]],
  ['from=2026-11-01T00:00:00Z&to=2026-11-02T00:00:00Z&points=1', [['query', 'points']]],
  ['from=2026-11-01T00:00:00Z&to=2026-11-02T00:00:00Z&points=ten', [['query', 'points']]],
])(
  'a series query with a wrong range or a wrong number of points is a 422: %s',
  async (query, places) => {
    const response = await requestAs(server, account)(
      'GET',
      `/api/logs/plant/${plantId}/series?${query}`,
    );
    expect(response.statusCode).toBe(422);
    expect(response.json().detail.map(({ loc }: { loc: string[] }) => loc)).toEqual(places);
  },
);

test('deleting the plant deletes its roll-ups', async () => {
  await storeDirectly(server, account, plantId, someReadings(100, 20));
  await rollUpReadings(rollUps());
  await requestAs(server, account)('DELETE', `/api/plants/${plantId}`);
  for (const table of ['reading_hours', 'reading_days', 'rollup_progress']) {
    const { rows } = await server.db.pool.query(`SELECT FROM ${table}`);
    expect(rows).toEqual([]);
  }
});
