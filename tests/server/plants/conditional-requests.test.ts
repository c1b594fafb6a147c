import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { plantPayload } from '../../support/factories.ts';
import {
  type Account,
  addPlant,
  bearer,
  openTestServer,
  type TestServer,
} from '../../support/server.ts';

let server: TestServer;
let account: Account;
let plantId: string;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  account = await server.addAccount();
  plantId = (await addPlant(server, account)).id;
});

function get(url: string, ifNoneMatch?: string) {
  const headers = { ...bearer(account), ...(ifNoneMatch && { 'if-none-match': ifNoneMatch }) };
  return server.app.inject({ url, headers });
}

function change(method: 'PUT' | 'DELETE' | 'POST', ifMatch: string) {
  const url = `/api/plants/${plantId}${method === 'POST' ? '/water' : ''}`;
  const headers = { ...bearer(account), 'if-match': ifMatch };
  return server.app.inject({
    method,
    url,
    headers,
    ...(method === 'PUT' && { payload: plantPayload() }),
  });
}

const report = () =>
  server.app.inject({
    method: 'POST',
    url: '/api/logs',
    headers: bearer(account),
    payload: { plant_id: plantId, soil_humidity: 50 },
  });

test.each(['/api/plants', '/api/plants/with-latest-readings', '/api/logs/plant/:id'])(
  'a list with an unchanged ETag is a 304 without a body: %s',
  async (template) => {
    const url = template.replace(':id', plantId);
    const { etag = '' } = (await get(url)).headers;
    const again = await get(url, String(etag));
    expect(again.statusCode).toBe(304);
    expect(again.body).toBe('');
    expect((await get(url, `"other", W/${etag}`)).statusCode).toBe(304);
    expect((await get(url, '"other"')).statusCode).toBe(200);
  },
);

test('a plant with an unchanged ETag is a 304 without a body, until it is edited', async () => {
  const url = `/api/plants/${plantId}`;
  const { etag = '' } = (await get(url)).headers;
  for (const known of [String(etag), `"other", W/${etag}`, '*']) {
    const again = await get(url, known);
    expect(again.statusCode).toBe(304);
    expect(again.body).toBe('');
    expect(again.headers.etag).toBe(etag);
  }
  await change('PUT', String(etag));
  const edited = await get(url, String(etag));
  expect(edited.statusCode).toBe(200);
  expect(edited.json()).toMatchObject({ id: plantId });
});

test('a deleted or foreign plant is a 404 and never a 304', async () => {
  const url = `/api/plants/${plantId}`;
  const stranger = await server.addAccount();
  const headers = { ...bearer(stranger), 'if-none-match': '*' };
  expect((await server.app.inject({ url, headers })).statusCode).toBe(404);
  await change('DELETE', '"v1"');
  expect((await get(url, '"v1"')).statusCode).toBe(404);
});

test('a watering changes both lists, a reading only the one with readings', async () => {
  const etags = async () => [
    (await get('/api/plants')).headers.etag,
    (await get('/api/plants/with-latest-readings')).headers.etag,
  ];
  await report();
  const [plants, readings] = await etags();
  server.clock.advance(60_000);
  await report();
  const [samePlants, otherReadings] = await etags();
  expect(samePlants).toBe(plants);
  expect(otherReadings).not.toBe(readings);
  await change('POST', '"v1"');
  expect((await etags())[0]).not.toBe(plants);
});

test('edits and waterings raise a plant’s ETag, readings never do', async () => {
  const etag = async () => (await get(`/api/plants/${plantId}`)).headers.etag;
  expect(await etag()).toBe('"v1"');
  await report();
  expect(await etag()).toBe('"v1"');
  expect((await change('PUT', '"v1"')).headers.etag).toBe('"v2"');
  expect((await change('POST', '"v2"')).headers.etag).toBe('"v3"');
  expect(await etag()).toBe('"v3"');
});

test.each(['PUT', 'DELETE', 'POST'] as const)(
  'a %s that names another version changes nothing and gets the current plant',
  async (method) => {
    await change('PUT', '"v1"');
    const refused = await change(method, '"v1"');
    expect(refused.statusCode).toBe(412);
    expect(refused.headers.etag).toBe('"v2"');
    expect(refused.json()).toMatchObject({ id: plantId, nickname: 'Fern', last_watered: null });
    expect((await get(`/api/plants/${plantId}`)).headers.etag).toBe('"v2"');
  },
);

test('of two parallel edits of one version one succeeds and the other gets a 412', async () => {
  const answers = await Promise.all([change('PUT', '"v1"'), change('PUT', '"v1"')]);
  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 412]);
});

test('If-Match: * matches any version', async () => {
  expect((await change('PUT', '*')).statusCode).toBe(200);
});
