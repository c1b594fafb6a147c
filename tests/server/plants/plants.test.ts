import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { PlantRecord } from '#domain/plant/plant.ts';
import { plantPayload } from '../../support/factories.ts';
import { requestAs } from '../../support/server/request.ts';
import { addPlant, openTestServer, type TestServer } from '../../support/server/server.ts';

const dayMs = 86_400_000;

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

test('a plant can be created with the time at which it was added, from which its first watering is due', async () => {
  const request = requestAs(server, await server.addAccount());
  const payload = plantPayload({ watering_frequency: 3 });
  const response = await request('POST', '/api/plants?added_at=2026-11-18T10:00:00%2B02:00', {
    payload,
  });
  expect(response.json()).toMatchObject({
    date_added: '2026-11-18T08:00:00.000Z',
    next_watering_date: '2026-11-21T08:00:00.000Z',
  });
});

test.each([
  ['2026-11-20T08:05:00.001Z', 'is in the future'],
  ['2026-09-21T07:59:59.999Z', 'is more than 60 days back'],
])('the time %s is rejected and creates no plant', async (added_at, msg) => {
  const request = requestAs(server, await server.addAccount());
  const url = `/api/plants?added_at=${added_at}`;
  const response = await request('POST', url, { payload: plantPayload() });
  expect(response.statusCode).toBe(422);
  expect(response.json().detail).toEqual([{ loc: ['query', 'added_at'], msg }]);
  expect((await request('GET', '/api/plants')).json()).toEqual([]);
});

test('creating a plant returns all its fields, with the first watering due one interval later', async () => {
  const request = requestAs(server, await server.addAccount());
  const payload = plantPayload({ watering_frequency: 3 });
  const response = await request('POST', '/api/plants', { payload });
  expect(response.statusCode).toBe(201);
  expect(response.headers.etag).toBe('"v1"');
  expect(response.json()).toEqual({
    ...payload,
    id: expect.stringMatching(
      /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    ),
    date_added: '2026-11-20T08:00:00.000Z',
    last_watered: null,
    next_watering_date: '2026-11-23T08:00:00.000Z',
    last_fertilized: null,
    snoozed_until: null,
    journal_version: 0,
    health_status: 'Unknown',
    auto_watering_reason: null,
    auto_watering_since: null,
    auto_watering_note: null,
    age: null,
    etag: '"v1"',
  });
});

test('four fields are required; the others become their default or null', async () => {
  const request = requestAs(server, await server.addAccount());
  const least = { nickname: 'Fern', plant_name: 'Fern', species: 'Fern', watering_frequency: 1 };
  const blank = { ...plantPayload(), ...least };
  const response = await request('POST', '/api/plants', { payload: least });
  expect(response.statusCode).toBe(201);
  expect(response.json()).toMatchObject({
    ...Object.fromEntries(Object.keys(blank).map((name) => [name, null])),
    ...least,
    category: 'Indoor',
    sunlight_requirements: 'Medium',
    fertilizer_schedule: 'Monthly',
    auto_watering_enabled: false,
    reminder_enabled: true,
    reminder_days_before: 0,
  });
});

test('an explicit null is treated like a missing field', async () => {
  const request = requestAs(server, await server.addAccount());
  const least = { nickname: 'Fern', plant_name: 'Fern', species: 'Fern', watering_frequency: 1 };
  const names = Object.keys(plantPayload());
  const payload = { ...Object.fromEntries(names.map((name) => [name, null])), ...least };
  const [withNulls, without] = await Promise.all([
    request('POST', '/api/plants', { payload }),
    request('POST', '/api/plants', { payload: least }),
  ]);
  expect(withNulls.statusCode).toBe(201);
  expect(withNulls.json()).toEqual({ ...without.json(), id: expect.any(String) });
});

test('names are stored without surrounding spaces, and a blank device id as null', async () => {
  const account = await server.addAccount();
  const plant = await addPlant(server, account, { nickname: '  Fern ', device_id: '   ' });
  expect(plant).toMatchObject({ nickname: 'Fern', device_id: null });
});

test('a text is stored unchanged, with any characters', async () => {
  const account = await server.addAccount();
  const description = `Grüße, 植物 🌱 "quoted" \\ <b>'; DROP TABLE plants;--\n\ttab`;
  const plant = await addPlant(server, account, { description });
  expect(plant.description).toBe(description);
});

test('the list contains only the account’s own plants, oldest first', async () => {
  const [mine, other] = [await server.addAccount(), await server.addAccount()];
  const plants: PlantRecord[] = [];
  for (const nickname of ['Zora', 'Anna', 'Mia']) {
    plants.push(await addPlant(server, mine, { nickname }));
    await addPlant(server, other, { nickname: 'Not mine' });
  }
  const response = await requestAs(server, mine)('GET', '/api/plants');
  expect(response.json()).toEqual(plants);
});

test('an account without plants has an empty list', async () => {
  const request = requestAs(server, await server.addAccount());
  for (const path of ['/api/plants', '/api/plants/with-latest-readings']) {
    expect((await request('GET', path)).body).toBe('[]');
  }
});

test('an edit resets fields that it leaves out, and raises the version', async () => {
  const account = await server.addAccount();
  const request = requestAs(server, account);
  const plant = await addPlant(server, account, { device_id: 'device-1', description: 'old' });
  const least = { nickname: 'New', plant_name: 'New', species: 'New', watering_frequency: 5 };
  const response = await request('PUT', `/api/plants/${plant.id}`, {
    payload: { ...least, category: 'Herb' },
  });
  expect(response.statusCode).toBe(200);
  expect(response.headers.etag).toBe('"v2"');
  expect(response.json()).toMatchObject({
    ...least,
    id: plant.id,
    category: 'Herb',
    description: null,
    device_id: null,
    soil_humidity_threshold_min: null,
    date_added: plant.date_added,
  });
  const read = await request('GET', `/api/plants/${plant.id}`);
  expect(read.json()).toEqual(response.json());
});

test('an edit from an older app, without the reminder fields, keeps their stored values', async () => {
  const account = await server.addAccount();
  const request = requestAs(server, account);
  const reminders = { reminder_enabled: false, reminder_days_before: 3 };
  const plant = await addPlant(server, account, reminders);
  const { reminder_enabled: _, reminder_days_before: __, ...older } = plantPayload();
  const kept = await request('PUT', `/api/plants/${plant.id}`, { payload: older });
  expect(kept.json()).toMatchObject(reminders);
  const changed = await request('PUT', `/api/plants/${plant.id}`, {
    payload: { ...older, reminder_days_before: 7 },
  });
  expect(changed.json()).toMatchObject({ reminder_enabled: false, reminder_days_before: 7 });
});

test('editing the watering interval moves the next watering, counted from the last watering or the date added', async () => {
  const account = await server.addAccount();
  const request = requestAs(server, account);
  const plant = await addPlant(server, account, { watering_frequency: 3 });
  const added = Date.parse(String(plant.date_added));
  const edit = (watering_frequency: number) =>
    request('PUT', `/api/plants/${plant.id}`, { payload: plantPayload({ watering_frequency }) });
  server.clock.advance(dayMs);
  onTestFinished(() => server.clock.advance(-2 * dayMs));
  const never = await edit(10);
  expect(never.json().next_watering_date).toBe(new Date(added + 10 * dayMs).toISOString());
  await request('POST', `/api/plants/${plant.id}/water`);
  server.clock.advance(dayMs);
  const watered = await edit(0.5);
  expect(watered.json().next_watering_date).toBe(new Date(added + 1.5 * dayMs).toISOString());
});

test('deleting a plant deletes its readings and waterings', async () => {
  const account = await server.addAccount();
  const request = requestAs(server, account);
  const plant = await addPlant(server, account);
  await request('POST', `/api/plants/${plant.id}/water`);
  await request('POST', '/api/logs', { payload: { plant_id: plant.id, temperature: 20 } });
  const response = await request('DELETE', `/api/plants/${plant.id}`);
  expect(response.statusCode).toBe(200);
  expect(response.json()).toEqual({ message: 'Plant deleted' });
  expect((await request('GET', '/api/plants')).json()).toEqual([]);
  for (const path of [`/api/plants/${plant.id}`, `/api/logs/plant/${plant.id}`]) {
    expect((await request('GET', path)).statusCode).toBe(404);
  }
  const again = await request('DELETE', `/api/plants/${plant.id}`);
  expect(again.statusCode).toBe(404);
  expect(again.json()).toEqual({ code: 'not_found', message: 'Plant not found' });
  for (const table of ['sensor_logs', 'waterings']) {
    const left = await server.db.pool.query(`SELECT 1 FROM ${table} WHERE plant_id = $1`, [
      plant.id,
    ]);
    expect(left.rowCount).toBe(0);
  }
});
