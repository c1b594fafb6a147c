import { afterAll, beforeAll, expect, test } from 'vitest';
import { plantPayload } from '../../support/factories.ts';
import { requestAs } from '../../support/server/request.ts';
import { addPlant, openTestServer, type TestServer } from '../../support/server/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

/** Fields that a client must not be able to set: those set by the server, ids, and unknown ones. */
const smuggled = {
  id: '01890000-0000-7000-8000-000000000000',
  userId: '01890000-0000-7000-8000-000000000000',
  user_id: '01890000-0000-7000-8000-000000000000',
  version: 99,
  date_added: '2001-01-01T00:00:00.000Z',
  last_watered: '2001-01-01T00:00:00.000Z',
  next_watering_date: '2001-01-01T00:00:00.000Z',
  last_fertilized: '2001-01-01T00:00:00.000Z',
  health_status: 'Good',
  age: 'ancient',
  latest_temperature: 21,
  colour: 'green',
};

test('unknown fields and fields set by the server are ignored in a create', async () => {
  const account = await server.addAccount();
  const payload = { ...plantPayload(), ...smuggled };
  const response = await requestAs(server, account)('POST', '/api/plants', { payload });
  const honest = await addPlant(server, account);
  expect(response.statusCode).toBe(201);
  expect(response.headers.etag).toBe('"v1"');
  expect(response.json()).toEqual({ ...honest, id: expect.not.stringMatching(smuggled.id) });
});

test('unknown fields and fields set by the server are ignored in an edit', async () => {
  const account = await server.addAccount();
  const plant = await addPlant(server, account);
  const payload = { ...plantPayload(), ...smuggled };
  const response = await requestAs(server, account)('PUT', `/api/plants/${plant.id}`, { payload });
  expect(response.statusCode).toBe(200);
  expect(response.headers.etag).toBe('"v2"');
  expect(response.json()).toEqual({ ...plant, etag: '"v2"' });
});

test('unknown fields are ignored in a reading', async () => {
  const account = await server.addAccount();
  const request = requestAs(server, account);
  const plant = await addPlant(server, account);
  const payload = { plant_id: plant.id, temperature: 20, battery: 3, ts: 'x', user_id: 'x' };
  const response = await request('POST', '/api/logs', { payload });
  expect(response.statusCode).toBe(201);
  const logs = await request('GET', `/api/logs/plant/${plant.id}`);
  expect(Object.keys(logs.json()[0]).sort()).toEqual([
    'air_humidity',
    'luminance',
    'soil_humidity',
    'temperature',
    'timestamp',
  ]);
});

test('unknown fields are ignored in a query and in a login', async () => {
  const account = await server.addAccount();
  const plant = await addPlant(server, account);
  const watered = await requestAs(server, account)(
    'POST',
    `/api/plants/${plant.id}/water?source=auto`,
  );
  expect(watered.statusCode).toBe(200);
  const { rows } = await server.db.pool.query('SELECT source FROM waterings WHERE plant_id = $1', [
    plant.id,
  ]);
  expect(rows).toEqual([{ source: 'manual' }]);
  const login = await requestAs(server, null)('POST', '/auth/login', {
    payload: { username_or_email: account.email, password: account.password, is_verified: true },
  });
  expect(login.statusCode).toBe(200);
});
