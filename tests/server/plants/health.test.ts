import { afterAll, beforeAll, expect, test } from 'vitest';
import { plantPayload } from '../../support/factories.ts';
import { requestAs } from '../../support/server/request.ts';
import { addPlant, openTestServer, type TestServer } from '../../support/server/server.ts';

const minuteMs = 60_000;
const dayMs = 86_400_000;

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

/** Thresholds: soil 30–70, air 40–60, temperature 15–30, light 0–10000. */
async function openPlant() {
  const account = await server.addAccount();
  const request = requestAs(server, account);
  const { id } = await addPlant(server, account);
  const health = async () => {
    const one = await request('GET', `/api/plants/${id}`);
    const [listed] = (await request('GET', '/api/plants')).json();
    const [withReadings] = (await request('GET', '/api/plants/with-latest-readings')).json();
    const { health_status } = one.json();
    expect([listed.health_status, withReadings.health_status]).toEqual([
      health_status,
      health_status,
    ]);
    return health_status;
  };
  const report = async (values: object) => {
    server.clock.advance(minuteMs);
    const response = await request('POST', '/api/logs', { payload: { plant_id: id, ...values } });
    expect(response.statusCode).toBe(201);
    return health();
  };
  return { request, id, health, report };
}

test('a plant without readings is Unknown', async () => {
  expect(await (await openPlant()).health()).toBe('Unknown');
});

test('a plant is Good with no measure out of range, Warning with one, Critical with two', async () => {
  const { report } = await openPlant();
  const well = { soil_humidity: 50, air_humidity: 50, temperature: 20, luminance: 5000 };
  expect(await report(well)).toBe('Good');
  expect(await report({ ...well, temperature: 31 })).toBe('Warning');
  expect(await report({ ...well, temperature: 31, air_humidity: 39 })).toBe('Critical');
  expect(await report(well)).toBe('Good');
});

test('soil below half its minimum is Critical by itself', async () => {
  const { report } = await openPlant();
  expect(await report({ soil_humidity: 15 })).toBe('Warning');
  expect(await report({ soil_humidity: 14.9 })).toBe('Critical');
});

test('a measure that was out of range counts as in range only once it is inside by 5 % of the threshold', async () => {
  const { report } = await openPlant();
  expect(await report({ soil_humidity: 30 })).toBe('Good');
  expect(await report({ soil_humidity: 29.9 })).toBe('Warning');
  expect(await report({ soil_humidity: 31 })).toBe('Warning');
  expect(await report({ soil_humidity: 31.5 })).toBe('Good');
  expect(await report({ soil_humidity: 30 })).toBe('Good');
});

test.each([
  ['soil and air', { air_humidity: 50 }, 30],
  ['one measure at a time', {}, 30],
])(
  'a measure that stays close to a threshold keeps its state for longer than 24 readings: %s',
  async (_, others, count) => {
    const { report } = await openPlant();
    const close = async (expected: string) => {
      for (let n = 0; n < count; n++) {
        expect(await report({ ...others, soil_humidity: 30.5 })).toBe(expected);
        if (!('air_humidity' in others)) expect(await report({ air_humidity: 50 })).toBe(expected);
      }
    };
    expect(await report({ ...others, soil_humidity: 29 })).toBe('Warning');
    await close('Warning');
    expect(await report({ ...others, soil_humidity: 32 })).toBe('Good');
    await close('Good');
  },
);

test('a measure that one of two sensors reports rarely keeps its state for longer than 24 readings', async () => {
  const { report } = await openPlant();
  const others = async (temperature: number, expected: string) => {
    for (let n = 0; n < 26; n++) expect(await report({ temperature })).toBe(expected);
  };
  expect(await report({ soil_humidity: 5 })).toBe('Critical');
  await others(20, 'Critical');
  expect(await report({ soil_humidity: 29 })).toBe('Warning');
  await others(20, 'Warning');
  expect(await report({ soil_humidity: 30.5 })).toBe('Warning');
  await others(31, 'Critical');
  expect(await report({ soil_humidity: 50, temperature: 20 })).toBe('Good');
  await others(20, 'Good');
});

test('a measure counts that only the first of many readings in an array contains', async () => {
  const { request, id, health, report } = await openPlant();
  expect(await report({ soil_humidity: 50 })).toBe('Good');
  server.clock.advance(30 * minuteMs);
  const payload = Array.from({ length: 30 }, (_, n) => ({
    plant_id: id,
    timestamp: new Date(server.clock().getTime() - (29 - n) * minuteMs).toISOString(),
    ...(n === 0 ? { soil_humidity: 29 } : { temperature: 20 }),
  }));
  await request('POST', '/api/logs', { payload });
  expect(await health()).toBe('Warning');
});

test('new thresholds of a measure are applied if more than 24 later readings lack it', async () => {
  const { request, id, report } = await openPlant();
  await report({ soil_humidity: 50 });
  for (let n = 0; n < 26; n++) await report({ temperature: 20 });
  const thresholds = { soil_humidity_threshold_min: 60, soil_humidity_threshold_max: 90 };
  const edited = await request('PUT', `/api/plants/${id}`, { payload: plantPayload(thresholds) });
  expect(edited.json().health_status).toBe('Warning');
});

test('an edit keeps the state of a measure that stays close to a threshold', async () => {
  const { request, id, report } = await openPlant();
  await report({ soil_humidity: 29 });
  for (let n = 0; n < 30; n++) await report({ soil_humidity: 30.5 });
  const payload = plantPayload({ nickname: 'Fern' });
  const response = await request('PUT', `/api/plants/${id}`, { payload });
  expect(response.json().health_status).toBe('Warning');
});

test('a dark night does not count as too little light, a dim day does', async () => {
  const account = await server.addAccount();
  const request = requestAs(server, account);
  const { id } = await addPlant(server, account, { luminance_threshold_min: 1000 });
  const seen = async (luminance: number, afterHours: number) => {
    server.clock.advance(afterHours * 60 * minuteMs);
    await request('POST', '/api/logs', { payload: { plant_id: id, luminance } });
    return (await request('GET', `/api/plants/${id}`)).json().health_status;
  };
  expect(await seen(4000, 0)).toBe('Good');
  expect(await seen(0, 10)).toBe('Good');
  expect(await seen(0, 13)).toBe('Good');
  expect(await seen(900, 2)).toBe('Warning');
  expect(await seen(1000, 5)).toBe('Good');
});

test('light counts whether a reading of an array names the plant or its device', async () => {
  const account = await server.addAccount();
  const request = requestAs(server, account);
  const device = { device_id: 'pot-1' };
  const { id } = await addPlant(server, account, { ...device, luminance_threshold_min: 1000 });
  await request('POST', '/api/logs', { payload: { plant_id: id, luminance: 100 } });
  server.clock.advance(minuteMs);
  const payload = [
    { plant_id: id, soil_humidity: 50 },
    { ...device, luminance: 4000 },
  ];
  await request('POST', '/api/logs', { payload });
  const { health_status } = (await request('GET', `/api/plants/${id}`)).json();
  expect(health_status).toBe('Good');
});

test('24 hours after its last reading a plant is Unknown until the next reading', async () => {
  const { report, health } = await openPlant();
  expect(await report({ soil_humidity: 20 })).toBe('Warning');
  server.clock.advance(dayMs);
  expect(await health()).toBe('Warning');
  server.clock.advance(1);
  expect(await health()).toBe('Unknown');
  expect(await report({ soil_humidity: 50 })).toBe('Good');
});

test('an older reading that arrives late does not change the health', async () => {
  const { request, id, report, health } = await openPlant();
  expect(await report({ soil_humidity: 50 })).toBe('Good');
  const timestamp = new Date(server.clock().getTime() - dayMs / 2).toISOString();
  await request('POST', '/api/logs', { payload: { plant_id: id, timestamp, soil_humidity: 5 } });
  expect(await health()).toBe('Good');
});

test('new thresholds are applied to the stored readings', async () => {
  const { request, id, report, health } = await openPlant();
  expect(await report({ soil_humidity: 50 })).toBe('Good');
  const thresholds = { soil_humidity_threshold_min: 60, soil_humidity_threshold_max: 90 };
  const edited = await request('PUT', `/api/plants/${id}`, { payload: plantPayload(thresholds) });
  expect(edited.json().health_status).toBe('Warning');
  expect(await health()).toBe('Warning');
});

test('a plant without thresholds is Good even with a soil humidity of 0', async () => {
  const account = await server.addAccount();
  const request = requestAs(server, account);
  const least = { nickname: 'A', plant_name: 'A', species: 'A', watering_frequency: 1 };
  const plant = (await request('POST', '/api/plants', { payload: least })).json();
  await request('POST', '/api/logs', { payload: { plant_id: plant.id, soil_humidity: 0 } });
  expect((await request('GET', `/api/plants/${plant.id}`)).json().health_status).toBe('Good');
});

test('after parallel readings the health is that of the newest one', async () => {
  const { request, id, health } = await openPlant();
  const moment = server.clock().getTime();
  const soil = [50, 5, 50, 5, 50, 5, 50, 5];
  await Promise.all(
    soil.map((soil_humidity, i) => {
      const timestamp = new Date(moment - i * minuteMs).toISOString();
      return request('POST', '/api/logs', { payload: { plant_id: id, timestamp, soil_humidity } });
    }),
  );
  expect(await health()).toBe('Good');
});
