import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ReadingLog } from '#domain/reading/reading.ts';
import { requestAs } from '../../support/server/request.ts';
import { addPlant, openTestServer, type TestServer } from '../../support/server/server.ts';

const minuteMs = 60_000;

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

/** A plant with one reading a minute up to now. Each reading has a different temperature, which identifies it. */
async function openPlant(readings: number) {
  const account = await server.addAccount();
  const request = requestAs(server, account);
  const plant = await addPlant(server, account);
  const at = (minute: number) =>
    new Date(server.clock().getTime() - (readings - minute) * minuteMs);
  await server.db.pool.query(
    `INSERT INTO sensor_logs (user_id, plant_id, ts, temperature)
     SELECT $1, $2, $3::timestamptz + n * interval '1 minute', n * 0.01 FROM generate_series(1, $4::int) n`,
    [account.userId, plant.id, at(0), readings],
  );
  const list = async (query = '') => {
    const response = await request('GET', `/api/logs/plant/${plant.id}${query}`);
    expect(response.statusCode).toBe(200);
    return response
      .json<ReadingLog[]>()
      .map(({ temperature }) => Math.round((temperature ?? 0) * 100));
  };
  return { request, plant, list, at: (minute: number) => at(minute).toISOString() };
}

test('readings come newest first, each with every measure', async () => {
  const { request, plant, at } = await openPlant(2);
  const none = { soil_humidity: null, air_humidity: null, luminance: null };
  const response = await request('GET', `/api/logs/plant/${plant.id}`);
  expect(response.json()).toEqual([
    { timestamp: at(2), temperature: 0.02, ...none },
    { timestamp: at(1), temperature: 0.01, ...none },
  ]);
});

test('a reading that arrives late is sorted by its timestamp', async () => {
  const { request, plant, list, at } = await openPlant(2);
  const timestamp = at(1).replace(/\d\dZ$/, '59Z');
  await request('POST', '/api/logs', {
    payload: { plant_id: plant.id, timestamp, temperature: 9 },
  });
  expect(await list()).toEqual([2, 900, 1]);
});

test('limit returns the newest readings, 200 by default', async () => {
  const { list } = await openPlant(205);
  expect(await list('?limit=3')).toEqual([205, 204, 203]);
  expect(await list('?limit=1000')).toHaveLength(205);
  expect(await list()).toHaveLength(200);
});

test('from and to are inclusive, also in another time zone', async () => {
  const { list, at } = await openPlant(5);
  const east = new Date(Date.parse(at(2)) + 7 * 60 * minuteMs)
    .toISOString()
    .replace('Z', '%2B07:00');
  expect(await list(`?from=${at(2)}&to=${at(4)}`)).toEqual([4, 3, 2]);
  expect(await list(`?from=${east}&to=${at(4)}`)).toEqual([4, 3, 2]);
  expect(await list(`?from=${at(4)}`)).toEqual([5, 4]);
  expect(await list(`?to=${at(2)}`)).toEqual([2, 1]);
  expect(await list(`?to=${at(4)}&limit=2`)).toEqual([4, 3]);
  expect(await list(`?from=${at(4)}&to=${at(2)}`)).toEqual([]);
});

test.each([
  ['limit=0', 'limit'],
  ['limit=1001', 'limit'],
  ['limit=-1', 'limit'],
  ['limit=2.5', 'limit'],
  ['limit=all', 'limit'],
  ['limit=', 'limit'],
  ['limit=1&limit=2', 'limit'],
  ['from=yesterday', 'from'],
  ['from=2026-11-20', 'from'],
  ['from=2026-02-31T00:00:00Z', 'from'],
  ['from=2026-11-20T08:00:00%2B5', 'from'],
  ['to=0000-01-01T00:00:00Z', 'to'],
  ['to=%00', 'to'],
])('the query %s is rejected', async (query, field) => {
  const { request, plant } = await openPlant(0);
  const response = await request('GET', `/api/logs/plant/${plant.id}?${query}`);
  expect(response.statusCode).toBe(422);
  expect(response.json()).toMatchObject({ code: 'invalid', detail: [{ loc: ['query', field] }] });
});

test('a query may have a time zone in hours only', async () => {
  const { request, plant } = await openPlant(0);
  const query = 'from=2026-11-20T08:00:00%2B05&to=2026-11-20T08:00:00-03';
  const response = await request('GET', `/api/logs/plant/${plant.id}?${query}`);
  expect([response.statusCode, response.json()]).toEqual([200, []]);
});

test('the summary has the range, mean and count of every measure, and the range of time', async () => {
  const { request, plant } = await openPlant(0);
  const readings = [
    { timestamp: '2026-11-20T06:00:00.000Z', soil_humidity: 30, temperature: 0 },
    { timestamp: '2026-11-20T07:00:00.000Z', soil_humidity: 50, temperature: 10 },
    { timestamp: '2026-11-20T05:00:00.000Z', soil_humidity: 100 },
  ];
  for (const reading of readings) {
    await request('POST', '/api/logs', { payload: { plant_id: plant.id, ...reading } });
  }
  const none = { min: null, max: null, avg: null, count: 0 };
  const response = await request('GET', `/api/logs/plant/${plant.id}/summary`);
  expect(response.statusCode).toBe(200);
  expect(response.json()).toEqual({
    soil_humidity: { min: 30, max: 100, avg: 60, count: 3 },
    air_humidity: none,
    temperature: { min: 0, max: 10, avg: 5, count: 2 },
    luminance: none,
    from: '2026-11-20T05:00:00.000Z',
    to: '2026-11-20T07:00:00.000Z',
  });
});

test('without readings the list is empty, all counts of the summary are 0 and all values of the latest reading are null', async () => {
  const { request, plant, list } = await openPlant(0);
  const none = { min: null, max: null, avg: null, count: 0 };
  const summary = await request('GET', `/api/logs/plant/${plant.id}/summary`);
  const latest = await request('GET', `/api/plants/${plant.id}/latest-readings`);
  expect(await list()).toEqual([]);
  expect(summary.json()).toEqual({
    soil_humidity: none,
    air_humidity: none,
    temperature: none,
    luminance: none,
    from: null,
    to: null,
  });
  expect(latest.json()).toEqual({
    timestamp: null,
    soil_humidity: null,
    air_humidity: null,
    temperature: null,
    luminance: null,
  });
});

test('the latest reading is one reading, not the newest value of each measure', async () => {
  const { request, plant, at } = await openPlant(3);
  const payload = { plant_id: plant.id, timestamp: at(2), soil_humidity: 40 };
  await request('POST', '/api/logs', { payload });
  const latest = await request('GET', `/api/plants/${plant.id}/latest-readings`);
  expect(latest.json()).toEqual({
    timestamp: at(3),
    temperature: 0.03,
    soil_humidity: null,
    air_humidity: null,
    luminance: null,
  });
});
