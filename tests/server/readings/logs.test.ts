import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Measure } from '#domain/reading/reading.ts';
import { untilWaiting } from '../../support/database/database-waits.ts';
import { requestAs } from '../../support/server/request.ts';
import { addPlant, openTestServer, type TestServer } from '../../support/server/server.ts';

const minuteMs = 60_000;
const values: Record<Measure, number> = {
  soil_humidity: 41.5,
  air_humidity: 55,
  temperature: 21,
  luminance: 3000,
};

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

async function openPlant(changes: { device_id?: string } = {}) {
  const account = await server.addAccount();
  const request = requestAs(server, account);
  const plant = await addPlant(server, account, changes);
  return {
    account,
    request,
    plant,
    log: (payload: object) => request('POST', '/api/logs', { payload }),
    logs: async () => (await request('GET', `/api/logs/plant/${plant.id}`)).json(),
  };
}

function inMs(ms: number): string {
  return new Date(server.clock().getTime() + ms).toISOString();
}

test('a reading without a timestamp is stored with the current time, and the response contains the stored reading', async () => {
  const { plant, log, logs } = await openPlant();
  const response = await log({ plant_id: plant.id, ...values });
  const stored = { timestamp: inMs(0), ...values };
  expect(response.statusCode).toBe(201);
  expect(response.json()).toEqual({ plant_id: plant.id, ...stored, commands: [] });
  expect(await logs()).toEqual([stored]);
});

test('the device id of a reading identifies its plant', async () => {
  const { plant, log, logs } = await openPlant({ device_id: 'pot-7' });
  const response = await log({ device_id: ' pot-7 ', ...values });
  expect(response.statusCode).toBe(201);
  expect(response.json().plant_id).toBe(plant.id);
  expect(await logs()).toHaveLength(1);
});

test('a reading sent with a person’s session is stored for the plant of its plant_id, whatever its device_id', async () => {
  const { account, plant, log, logs } = await openPlant({ device_id: 'pot-7' });
  await addPlant(server, account, { device_id: 'pot-8' });
  await log({ plant_id: plant.id, device_id: 'pot-8', ...values });
  expect(await logs()).toHaveLength(1);
});

test('a reading of a device that two plants share is rejected and not stored', async () => {
  const { account, request, log } = await openPlant({ device_id: 'pot-7' });
  await addPlant(server, account, { device_id: 'pot-7' });
  const response = await log({ device_id: 'pot-7', ...values });
  expect(response.statusCode).toBe(422);
  expect(response.json().detail).toEqual([
    { loc: ['body', 'device_id'], msg: 'belongs to several plants; send plant_id' },
  ]);
  const plants = await request('GET', '/api/plants/with-latest-readings');
  expect(plants.json()).toMatchObject([{ last_reading_time: null }, { last_reading_time: null }]);
});

test.each([
  { device_id: 'nobody' },
  { plant_id: '01890000-0000-7000-8000-000000000000' },
  { plant_id: 'not an id' },
  { plant_id: "' OR '1'='1" },
])('a reading for %j is a 404', async (target) => {
  const { log } = await openPlant({ device_id: 'pot-7' });
  const response = await log({ ...target, ...values });
  expect(response.statusCode).toBe(404);
  expect(response.json()).toEqual({ code: 'not_found', message: 'Plant not found' });
});

test('a measure that was not reported is null, never zero; a measured zero is zero', async () => {
  const { plant, log, logs } = await openPlant();
  const response = await log({ plant_id: plant.id, soil_humidity: 0, temperature: null });
  const none = { air_humidity: null, temperature: null, luminance: null };
  expect(response.json()).toMatchObject({ soil_humidity: 0, ...none });
  expect(await logs()).toEqual([{ timestamp: inMs(0), soil_humidity: 0, ...none }]);
});

test('a reading with the same timestamp, in another time zone, replaces the earlier one', async () => {
  const { plant, log, logs } = await openPlant();
  const moment = inMs(-minuteMs);
  const shifted = new Date(Date.parse(moment) + 7 * 3_600_000).toISOString();
  await log({ plant_id: plant.id, timestamp: moment, ...values });
  await log({ plant_id: plant.id, timestamp: shifted.replace('Z', '+07:00'), temperature: 5 });
  const none = { soil_humidity: null, air_humidity: null, luminance: null };
  expect(await logs()).toEqual([{ timestamp: moment, temperature: 5, ...none }]);
});

test('a timestamp may have a time zone in hours only', async () => {
  const { plant, log, logs } = await openPlant();
  const timestamp = inMs(7 * 60 * minuteMs).replace('Z', '+07');
  const response = await log({ plant_id: plant.id, ...values, timestamp });
  expect([response.statusCode, response.json().timestamp]).toEqual([201, inMs(0)]);
  expect(await logs()).toEqual([{ timestamp: inMs(0), ...values }]);
});

test('readings of two plants with the same timestamp are both stored', async () => {
  const { account, request, plant, log, logs } = await openPlant();
  const other = await addPlant(server, account);
  await log({ plant_id: plant.id, temperature: 1 });
  await log({ plant_id: other.id, temperature: 2 });
  expect(await logs()).toMatchObject([{ temperature: 1 }]);
  const others = await request('GET', `/api/logs/plant/${other.id}`);
  expect(others.json()).toMatchObject([{ temperature: 2 }]);
});

test('a reading may be dated at most 5 minutes in the future', async () => {
  const { plant, log, logs } = await openPlant();
  const ahead = inMs(5 * minuteMs);
  const taken = await log({ plant_id: plant.id, timestamp: ahead, ...values });
  expect(taken.json().timestamp).toBe(ahead);
  const refused = await log({ plant_id: plant.id, timestamp: inMs(5 * minuteMs + 1), ...values });
  expect(refused.statusCode).toBe(422);
  expect(refused.json()).toEqual({
    code: 'invalid',
    message: 'timestamp: is in the future',
    detail: [{ loc: ['body', 'timestamp'], msg: 'is in the future' }],
  });
  expect(await logs()).toHaveLength(1);
});

test.each([
  [{ temperature: undefined }, []],
  [{ temperature: null, soil_humidity: null }, []],
  [{ plant_id: undefined }, []],
  [{ plant_id: 7 }, ['plant_id']],
  [{ temperature: '21' }, ['temperature']],
  [{ temperature: 81 }, ['temperature']],
  [{ temperature: -51 }, ['temperature']],
  [{ soil_humidity: 101 }, ['soil_humidity']],
  [{ air_humidity: -1 }, ['air_humidity']],
  [{ luminance: -1 }, ['luminance']],
  [{ luminance: 200_001 }, ['luminance']],
  [{ timestamp: '' }, ['timestamp']],
  [{ timestamp: 'yesterday' }, ['timestamp']],
  [{ timestamp: 1_800_000_000_000 }, ['timestamp']],
  [{ timestamp: '2026-11-20' }, ['timestamp']],
  [{ timestamp: '2026-11-20T08:00:00' }, ['timestamp']],
  [{ timestamp: '2026-02-31T08:00:00Z' }, ['timestamp']],
  [{ timestamp: '0000-01-01T00:00:00Z' }, ['timestamp']],
  [{ timestamp: '+002026-11-20T08:00:00Z' }, ['timestamp']],
])('a reading with %j is rejected and stores nothing', async (changes, place) => {
  const { plant, log, logs } = await openPlant();
  const response = await log({ plant_id: plant.id, temperature: 21, ...changes });
  expect(response.statusCode).toBe(422);
  expect(response.json().detail.map(({ loc }: { loc: string[] }) => loc)).toEqual([
    ['body', ...place],
  ]);
  expect(await logs()).toEqual([]);
});

test('a reading whose plant is deleted at the same time gets a 404', async () => {
  const { plant, log } = await openPlant();
  const admin = await server.db.pool.connect();
  await admin.query('BEGIN');
  await admin.query('DELETE FROM plants WHERE id = $1', [plant.id]);
  const response = log({ plant_id: plant.id, ...values });
  await untilWaiting(server);
  await admin.query('COMMIT');
  admin.release();
  expect((await response).statusCode).toBe(404);
});
