import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { dayMs } from '#domain/time.ts';
import { plantPayload } from '../../support/factories.ts';
import {
  type Account,
  addPlant,
  bearer,
  openTestServer,
  type TestServer,
} from '../../support/server/server.ts';

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
  'a request with the current ETag of a list gets a 304 without a body: %s',
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

test.each(['/api/plants', '/api/plants/with-latest-readings'])(
  'a malformed If-None-Match that contains the current ETag gets the whole list: %s',
  async (url) => {
    const whole = await get(url);
    const etag = String(whole.headers.etag);
    for (const malformed of [`w/${etag}`, `${etag};x`, `"a" ${etag}`, etag.replace('"c', '"c0')]) {
      const response = await get(url, malformed);
      expect(response.statusCode).toBe(200);
      expect(response.body).toBe(whole.body);
    }
  },
);

test('a request with the current ETag of a plant gets a 304 without a body, until the plant is edited', async () => {
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

test('every response to a change, even a 412, has the ETag in the record, which the lists contain too', async () => {
  const edited = await change('PUT', '"v1"');
  const watered = await change('POST', '"v2"');
  expect([edited.json().etag, watered.json().etag]).toEqual(['"v2"', '"v3"']);
  const refused = await change('PUT', '"v1"');
  for (const response of [watered, refused]) {
    expect(response.json()).toMatchObject({ id: plantId, etag: response.headers.etag });
  }
  for (const list of ['/api/plants', '/api/plants/with-latest-readings']) {
    expect((await get(list)).json()).toMatchObject([{ id: plantId, etag: '"v3"' }]);
  }
});

test('a deleted plant and a plant of another account get a 404, never a 304', async () => {
  const url = `/api/plants/${plantId}`;
  const stranger = await server.addAccount();
  const headers = { ...bearer(stranger), 'if-none-match': '*' };
  expect((await server.app.inject({ url, headers })).statusCode).toBe(404);
  await change('DELETE', '"v1"');
  expect((await get(url, '"v1"')).statusCode).toBe(404);
});

test('a watering changes the ETags of both lists; a reading that does not change the record changes only the ETag of the list with readings', async () => {
  const urls = ['/api/plants', '/api/plants/with-latest-readings'];
  await report();
  const etags = await Promise.all(urls.map(async (url) => String((await get(url)).headers.etag)));
  const statuses = () =>
    Promise.all(urls.map(async (url, i) => (await get(url, etags[i])).statusCode));
  expect(await statuses()).toEqual([304, 304]);
  server.clock.advance(60_000);
  await report();
  expect(await statuses()).toEqual([304, 200]);
  await change('POST', '"v1"');
  expect(await statuses()).toEqual([200, 200]);
});

test('edits and waterings raise the version of a plant, a reading does not', async () => {
  const etag = async () => (await get(`/api/plants/${plantId}`)).json().etag;
  expect(await etag()).toBe('"v1"');
  await report();
  expect(await etag()).toBe('"v1"');
  expect((await change('PUT', '"v1"')).headers.etag).toBe('"v2"');
  expect((await change('POST', '"v2"')).headers.etag).toBe('"v3"');
  expect(await etag()).toBe('"v3"');
});

test('when a reading or time changes the health of a plant, a request with the ETag from before gets the plant', async () => {
  const url = `/api/plants/${plantId}`;
  const before = await get(url);
  await report();
  const judged = await get(url, String(before.headers.etag));
  expect([before.json().health_status, judged.json().health_status]).toEqual(['Unknown', 'Good']);
  expect((await get(url, String(judged.headers.etag))).statusCode).toBe(304);
  server.clock.advance(dayMs + 1);
  const old = await get(url, String(judged.headers.etag));
  expect(old.json().health_status).toBe('Unknown');
});

test.each(['PUT', 'DELETE', 'POST'] as const)(
  'a %s with the ETag of a plant that was read is applied, also after a reading, but not after an edit',
  async (method) => {
    const url = `/api/plants/${plantId}`;
    const outdated = String((await get(url)).headers.etag);
    expect(outdated).toMatch(/^"v1\.[\w-]{27}"$/);
    await change('PUT', outdated);
    const read = String((await get(url)).headers.etag);
    await report();
    expect((await change(method, outdated)).statusCode).toBe(412);
    expect((await change(method, `"other", W/${read}`)).statusCode).toBe(200);
  },
);

test.each(['PUT', 'DELETE', 'POST'] as const)(
  'a %s with the ETag of another version changes nothing and gets the current plant',
  async (method) => {
    await change('PUT', '"v1"');
    const refused = await change(method, '"v1"');
    expect(refused.statusCode).toBe(412);
    expect(refused.headers.etag).toBe('"v2"');
    expect(refused.json()).toMatchObject({ id: plantId, nickname: 'Fern', last_watered: null });
    expect((await get(`/api/plants/${plantId}`)).json().etag).toBe('"v2"');
  },
);

test('if two edits of one version arrive in parallel, one succeeds and the other gets a 412', async () => {
  const responses = await Promise.all([change('PUT', '"v1"'), change('PUT', '"v1"')]);
  expect(responses.map(({ statusCode }) => statusCode).sort()).toEqual([200, 412]);
});

test('If-Match: * matches any version', async () => {
  expect((await change('PUT', '*')).statusCode).toBe(200);
});

test('a * inside a quoted ETag with commas matches nothing, and an ETag after it still matches', async () => {
  expect((await change('PUT', '"a,*,b"')).statusCode).toBe(412);
  expect((await change('PUT', '"other,*"')).statusCode).toBe(412);
  expect((await get(`/api/plants/${plantId}`, '"a, *, b"')).statusCode).toBe(200);
  const { etag } = (await get(`/api/plants/${plantId}`)).headers;
  expect((await get(`/api/plants/${plantId}`, `"a, *, b",${etag}`)).statusCode).toBe(304);
  expect((await change('PUT', '"a,*,b", "v1"')).statusCode).toBe(200);
});
