import { afterAll, beforeAll, expect, test } from 'vitest';
import { requestAs } from '../../support/server/request.ts';
import { addPlant, openTestServer, type TestServer } from '../../support/server/server.ts';

const minuteMs = 60_000;
const dayMs = 86_400_000;

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

/** Creates a plant that is due every 3 days; returns functions to water and read it. */
async function openPlant() {
  const account = await server.addAccount();
  const plant = await addPlant(server, account, { watering_frequency: 3 });
  const request = requestAs(server, account);
  const water = (query: Record<string, string> = {}) =>
    request('POST', `/api/plants/${plant.id}/water?${new URLSearchParams(query)}`);
  const recorded = async () => {
    const { rows } = await server.db.pool.query(
      'SELECT watered_at, source, amount_ml, soil_before FROM waterings WHERE plant_id = $1 ORDER BY id',
      [plant.id],
    );
    return rows;
  };
  return { plant, request, water, recorded };
}

/** The time that is `ms` from now, in ISO 8601. */
function inMs(ms: number): string {
  return new Date(server.clock().getTime() + ms).toISOString();
}

test('watering returns the whole plant, watered now and due after one watering interval', async () => {
  const { plant, request, water, recorded } = await openPlant();
  server.clock.advance(minuteMs);
  const response = await water();
  expect(response.statusCode).toBe(200);
  expect(response.headers.etag).toBe('"v2"');
  const watered = { last_watered: inMs(0), next_watering_date: inMs(3 * dayMs) };
  const { journal_entry, ...record } = response.json();
  expect(record).toEqual({ ...plant, ...watered, journal_version: 1, etag: '"v2"' });
  expect(journal_entry).toMatchObject({ type: 'watered', source: 'manual', at: inMs(0) });
  expect((await request('GET', `/api/plants/${plant.id}`)).json()).toEqual(record);
  expect(await recorded()).toEqual([
    { watered_at: server.clock(), source: 'manual', amount_ml: null, soil_before: null },
  ]);
});

test('after a watering in the past the plant is due one watering interval after that time', async () => {
  const { water, recorded } = await openPlant();
  const watered_at = inMs(-2 * dayMs);
  const response = await water({ watered_at });
  expect(response.json()).toMatchObject({
    last_watered: watered_at,
    next_watering_date: inMs(dayMs),
  });
  expect(await recorded()).toMatchObject([{ watered_at: new Date(watered_at) }]);
});

test('the time of a watering can be given with a UTC offset', async () => {
  const { water } = await openPlant();
  const noon = new Date(server.clock().getTime() + 7 * 3_600_000 - minuteMs).toISOString();
  const response = await water({ watered_at: noon.replace('Z', '+07:00') });
  expect(response.json().last_watered).toBe(inMs(-minuteMs));
});

test.each([1, 5 * minuteMs])('a time %i ms in the future counts as now', async (ahead) => {
  const { water, recorded } = await openPlant();
  const response = await water({ watered_at: inMs(ahead) });
  expect(response.statusCode).toBe(200);
  expect(response.json().last_watered).toBe(inMs(0));
  expect(await recorded()).toMatchObject([{ watered_at: server.clock() }]);
});

test('a watering 60 days in the past is accepted', async () => {
  const { water } = await openPlant();
  const response = await water({ watered_at: inMs(-60 * dayMs) });
  expect(response.statusCode).toBe(200);
});

test.each([
  ['further ahead than 5 minutes', 5 * minuteMs + 1, 'is in the future'],
  ['further back than 60 days', -60 * dayMs - 1, 'is more than 60 days back'],
])('a time %s is rejected and stores no watering', async (_, ms, msg) => {
  const { plant, request, water, recorded } = await openPlant();
  const response = await water({ watered_at: inMs(ms) });
  expect(response.statusCode).toBe(422);
  expect(response.json()).toEqual({
    code: 'invalid',
    message: `watered_at: ${msg}`,
    detail: [{ loc: ['query', 'watered_at'], msg }],
  });
  expect(await recorded()).toEqual([]);
  expect((await request('GET', `/api/plants/${plant.id}`)).json()).toEqual(plant);
});

test('an older watering that arrives late is stored without moving the dates back', async () => {
  const { water, recorded } = await openPlant();
  const first = await water();
  const late = await water({ watered_at: inMs(-dayMs) });
  expect(late.statusCode).toBe(200);
  const journal_entry = { ...first.json().journal_entry, id: expect.any(String), at: inMs(-dayMs) };
  expect(late.json()).toEqual({ ...first.json(), journal_version: 2, etag: '"v3"', journal_entry });
  expect(late.headers.etag).toBe('"v3"');
  expect(await recorded()).toHaveLength(2);
});

test.each(['1', '10000', '250', '0250', '12.5'])('an amount of %s ml is stored', async (amount) => {
  const { water, recorded } = await openPlant();
  expect((await water({ amount })).statusCode).toBe(200);
  expect(await recorded()).toMatchObject([{ amount_ml: Number(amount) }]);
});

test.each(['0', '0.99', '10001', '-5', '', 'much', '1e3', 'Infinity', 'NaN', '0x10', '1,5'])(
  'an amount of %j is rejected and stores no watering',
  async (amount) => {
    const { water, recorded } = await openPlant();
    const response = await water({ amount });
    expect(response.statusCode).toBe(422);
    expect(response.json().detail[0].loc).toEqual(['query', 'amount']);
    expect(await recorded()).toEqual([]);
  },
);

test('a watering stores the soil humidity before it', async () => {
  const { plant, request, water, recorded } = await openPlant();
  for (const [minute, soil_humidity] of [
    [1, 40],
    [2, 22.5],
  ] as const) {
    const timestamp = inMs(-dayMs + minute * minuteMs);
    await request('POST', '/api/logs', {
      payload: { plant_id: plant.id, timestamp, soil_humidity },
    });
  }
  await water();
  expect(await recorded()).toMatchObject([{ soil_before: 22.5 }]);
});

test('twenty parallel waterings at the same time are all stored, and each response has a different version', async () => {
  const { water, recorded } = await openPlant();
  const responses = await Promise.all(Array.from({ length: 20 }, () => water()));
  expect(responses.map((response) => response.statusCode)).toEqual(responses.map(() => 200));
  const versions = responses.map((response) => response.headers.etag).sort();
  expect(new Set(versions)).toEqual(new Set(responses.map((_, i) => `"v${i + 2}"`)));
  expect(await recorded()).toHaveLength(20);
});
