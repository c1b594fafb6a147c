import * as v from 'valibot';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { plantsWithReadingsSchema } from '#contract/plants.ts';
import { requestAs } from '../../support/server/request.ts';
import { addPlant, openTestServer, type TestServer } from '../../support/server/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

const nothing = {
  latest_soil_humidity: null,
  latest_air_humidity: null,
  latest_temperature: null,
  latest_luminance: null,
  last_reading_time: null,
};

test('the list with readings contains every plant of /api/plants with its newest reading, or nulls if it has none', async () => {
  const account = await server.addAccount();
  const request = requestAs(server, account);
  const [fern, cactus] = [await addPlant(server, account), await addPlant(server, account)];
  for (const [timestamp, temperature] of [
    ['2026-11-20T07:00:00.000Z', 20],
    ['2026-11-20T07:30:00.000Z', 21],
    ['2026-11-20T06:00:00.000Z', 19],
  ]) {
    const payload = { plant_id: fern.id, timestamp, temperature, soil_humidity: 0 };
    await request('POST', '/api/logs', { payload });
  }
  const plain = (await request('GET', '/api/plants')).json();
  const response = await request('GET', '/api/plants/with-latest-readings');
  expect(response.statusCode).toBe(200);
  expect(plain).toMatchObject([{ id: fern.id }, { id: cactus.id }]);
  expect(response.json()).toEqual([
    {
      ...plain[0],
      ...nothing,
      latest_soil_humidity: 0,
      latest_temperature: 21,
      last_reading_time: '2026-11-20T07:30:00.000Z',
    },
    { ...plain[1], ...nothing },
  ]);
  expect(v.is(plantsWithReadingsSchema, response.json())).toBe(true);
});

test('readings of another account’s plants are not included', async () => {
  const [mine, other] = [await server.addAccount(), await server.addAccount()];
  await addPlant(server, mine, { device_id: 'pot-1' });
  await addPlant(server, other, { device_id: 'pot-1' });
  const payload = { device_id: 'pot-1', temperature: 21 };
  expect((await requestAs(server, other)('POST', '/api/logs', { payload })).statusCode).toBe(201);
  const response = await requestAs(server, mine)('GET', '/api/plants/with-latest-readings');
  expect(response.json()).toMatchObject([nothing]);
});

test('the response for a single plant and the list of /api/plants contain no readings', async () => {
  const account = await server.addAccount();
  const request = requestAs(server, account);
  const { id } = await addPlant(server, account);
  const payload = { plant_id: id, temperature: 21 };
  await request('POST', '/api/logs', { payload });
  const one = (await request('GET', `/api/plants/${id}`)).json();
  const [listed] = (await request('GET', '/api/plants')).json();
  expect(one).toEqual(listed);
  expect(Object.keys(one).filter((name) => name in nothing)).toEqual([]);
});
