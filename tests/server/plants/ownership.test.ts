import { afterAll, beforeAll, expect, test } from 'vitest';
import { plantPayload } from '../../support/factories.ts';
import {
  type Account,
  addPlant,
  bearer,
  openTestServer,
  type TestServer,
} from '../../support/server/server.ts';

let server: TestServer;
let mine: Account;
let stranger: Account;
let plantId: string;
beforeAll(async () => {
  server = await openTestServer();
  mine = await server.addAccount();
  stranger = await server.addAccount();
  plantId = (await addPlant(server, mine, { device_id: 'probe' })).id;
});
afterAll(() => server.close());

const paths = [
  ['GET', '/api/plants/:id'],
  ['PUT', '/api/plants/:id'],
  ['DELETE', '/api/plants/:id'],
  ['POST', '/api/plants/:id/water'],
  ['GET', '/api/plants/:id/latest-readings'],
  ['GET', '/api/logs/plant/:id'],
  ['GET', '/api/logs/plant/:id/summary'],
] as const;

function request(method: 'GET' | 'PUT' | 'DELETE' | 'POST', template: string, id: string) {
  return server.app.inject({
    method,
    url: template.replace(':id', id),
    headers: bearer(stranger),
    ...(method === 'PUT' && { payload: plantPayload() }),
  });
}

async function expectUnchanged(): Promise<void> {
  const response = await server.app.inject({
    url: `/api/plants/${plantId}`,
    headers: bearer(mine),
  });
  expect(response.json()).toMatchObject({ nickname: 'Fern', last_watered: null, etag: '"v1"' });
}

test.each(paths)(
  '%s %s for another account’s plant gets the same 404 as for an unknown one and changes nothing',
  async (...path) => {
    const foreign = await request(...path, plantId);
    const unknown = await request(...path, '01a1fbfe-0006-7710-9f02-e15270ccb538');
    const malformed = await request(...path, 'no-such-id');
    expect(foreign.statusCode).toBe(404);
    expect(foreign.body).toBe(unknown.body);
    expect(foreign.body).toBe(malformed.body);
    expect(foreign.json()).toEqual({ code: 'not_found', message: 'Plant not found' });
    await expectUnchanged();
  },
);

test.each([{ plant_id: 'PLANT' }, { device_id: 'probe' }])(
  'readings for another account’s plant, named by %j, are rejected and change nothing',
  async (by) => {
    const payload = { soil_humidity: 1, ...by, ...('plant_id' in by && { plant_id: plantId }) };
    const response = await server.app.inject({
      method: 'POST',
      url: '/api/logs',
      headers: bearer(stranger),
      payload,
    });
    expect(response.statusCode).toBe(404);
    const { rowCount } = await server.db.pool.query('SELECT 1 FROM sensor_logs');
    expect(rowCount).toBe(0);
    await expectUnchanged();
  },
);
